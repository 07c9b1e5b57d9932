/** A field of a form or a note on a page, as PDF.js describes it. */
export interface Annotation {
  subtype?: string;
  rect?: readonly number[];
  contentsObj?: { str?: string };
  fieldName?: string;
  fieldType?: string | null;
  /** A string, the chosen ones of a list, or null. */
  fieldValue?: unknown;
  /** The label of the field for readers; empty for most fields. */
  alternativeText?: string;
  pushButton?: boolean;
  password?: boolean;
  hidden?: boolean;
  options?: readonly { exportValue?: unknown; displayValue?: unknown }[];
}

/** Returns the text written into a field or onto the page; empty if there is none. */
export type FieldReader = (annotation: Annotation) => string;

/** Reads each field of a document once, although it may be on several pages, or have a button for each choice. */
export function createFieldReader(): FieldReader {
  const read = new Set<string>();
  return (annotation) => {
    if (annotation.subtype === 'FreeText') return annotation.contentsObj?.str?.trim() ?? '';
    if (annotation.subtype !== 'Widget' || !isReadable(annotation)) return '';
    const value = writtenIn(annotation);
    const { fieldName = '' } = annotation;
    if (value === '' || read.has(fieldName)) return '';
    if (fieldName !== '') read.add(fieldName);
    const name = nameOf(annotation);
    return name === '' ? value : `${name}: ${value}`;
  };
}

/** Passwords are secret, push buttons and signatures have no text, and hidden fields are not for the reader. */
function isReadable({ password, pushButton, hidden, fieldType }: Annotation): boolean {
  return password !== true && pushButton !== true && hidden !== true && fieldType !== 'Sig';
}

function writtenIn({ fieldType, fieldValue, options = [] }: Annotation): string {
  const values = (Array.isArray(fieldValue) ? fieldValue : [fieldValue]).filter((value) => typeof value === 'string');
  if (fieldType === 'Btn') return values.filter((value) => value !== 'Off').join(', ');
  const shown = values.map((value) => {
    const option = options.find(({ exportValue }) => exportValue === value);
    return typeof option?.displayValue === 'string' ? option.displayValue : value;
  });
  return shown
    .map((value) => value.trim())
    .filter((value) => value !== '')
    .join(', ');
}

/** Parts of names that programs add: `form1[0].#subform[0].Name[0]` is "Name". */
const GENERATED = /^(?:#.*|form\d+|topmostsubform|page\d+)$/i;

function nameOf({ alternativeText = '', fieldName = '' }: Annotation): string {
  if (alternativeText.trim() !== '') return alternativeText.replace(/\s+/g, ' ').trim().replace(/:$/, '');
  const parts = fieldName.split('.').map((part) => part.replace(/\[\d+\]$/, ''));
  const own = parts.filter((part) => part !== '' && !GENERATED.test(part));
  return own.join('.') || (parts.at(-1) ?? '');
}
