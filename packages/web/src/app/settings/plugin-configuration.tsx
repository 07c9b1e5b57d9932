import { Button } from '@recollect/ui';
import { useEffect, useId, useState } from 'preact/hooks';
import type { Act, Plugin } from './plugin-action.js';

/** The part of a JSON Schema that a form field needs. */
interface FieldSchema {
  type?: string;
  title?: string;
  description?: string;
  enum?: readonly (string | number)[];
  default?: unknown;
  minimum?: number;
  maximum?: number;
  items?: { type?: string };
}

type Values = Record<string, unknown>;

/** The configuration of a plugin, as a form made from its schema. */
export function PluginConfiguration({ plugin, act }: { plugin: Plugin; act: Act }) {
  const { slug, title, configuration, configurationSchema } = plugin;
  const fields = Object.entries((configurationSchema.properties ?? {}) as Record<string, FieldSchema>);
  const [values, setValues] = useState<Values>(configuration);
  const formId = useId();
  // It may have been undone, or changed in another window.
  const stored = JSON.stringify(configuration);
  useEffect(() => setValues(JSON.parse(stored)), [stored]);
  if (fields.length === 0) return null;
  return (
    <details class="configuration">
      <summary>Configure</summary>
      <form
        class="form"
        aria-label={`Configuration of ${title}`}
        onSubmit={(event) => {
          event.preventDefault();
          void act({ action: 'configure', slug, config: values }, { action: 'configure', slug, config: configuration });
        }}
      >
        {fields.map(([name, schema]) => (
          <div key={name} class="form-field">
            <label for={`${formId} ${name}`}>{schema.title ?? name}</label>
            <Field
              id={`${formId} ${name}`}
              schema={schema}
              value={values[name] ?? (isNumber(schema) ? undefined : schema.default)}
              onChange={(value) => {
                const { [name]: _, ...others } = values;
                setValues(value === undefined ? others : { ...others, [name]: value });
              }}
            />
            {schema.description !== undefined && <small class="soft">{schema.description}</small>}
          </div>
        ))}
        <div class="form-actions">
          <Button type="submit">Save configuration</Button>
        </div>
      </form>
    </details>
  );
}

function isNumber({ type, enum: options }: FieldSchema): boolean {
  return options === undefined && (type === 'number' || type === 'integer');
}

interface FieldProps {
  id: string;
  schema: FieldSchema;
  value: unknown;
  /** Undefined removes the value, so that the plugin uses its default. */
  onChange: (value: unknown) => void;
}

function Field({ id, schema, value, onChange }: FieldProps) {
  if (schema.enum !== undefined)
    return (
      <select
        id={id}
        class="field"
        value={String(value ?? '')}
        onChange={(event) => onChange(schema.enum?.[event.currentTarget.selectedIndex])}
      >
        {schema.enum.map((option) => (
          <option key={option} value={String(option)}>
            {String(option)}
          </option>
        ))}
      </select>
    );
  switch (schema.type) {
    case 'boolean':
      return (
        <input
          id={id}
          type="checkbox"
          checked={value === true}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      );
    case 'integer':
    case 'number':
      return <NumberField id={id} schema={schema} value={value} onChange={onChange} />;
    case 'string':
      return (
        <input
          id={id}
          class="field"
          value={typeof value === 'string' ? value : ''}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      );
    case 'array':
      if (schema.items?.type === 'string') return <ListField id={id} value={value} onChange={onChange} />;
      break;
  }
  return <JsonField id={id} value={value} onChange={onChange} />;
}

/** Keeps the text as typed, because "0." is not a number yet. An empty field means the default. */
function NumberField({ id, schema, value, onChange }: FieldProps) {
  const [text, setText] = useState('');
  const read = (typed: string) => (typed === '' ? undefined : Number(typed));
  return (
    <input
      id={id}
      class="field"
      type="number"
      step={schema.type === 'integer' ? 1 : 'any'}
      min={schema.minimum}
      max={schema.maximum}
      placeholder={schema.default === undefined ? '' : String(schema.default)}
      value={read(text) === value ? text : String(value ?? '')}
      onInput={({ currentTarget }) => {
        setText(currentTarget.value);
        onChange(read(currentTarget.value));
      }}
    />
  );
}

/** A list of texts, one per line. */
function ListField({ id, value, onChange }: Omit<FieldProps, 'schema'>) {
  const lines = Array.isArray(value) ? value.join('\n') : '';
  const read = (text: string) =>
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
  return (
    <textarea id={id} class="field" value={lines} onChange={(event) => onChange(read(event.currentTarget.value))} />
  );
}

/** Any other value, as JSON. */
function JsonField({ id, value, onChange }: Omit<FieldProps, 'schema'>) {
  return (
    <textarea
      id={id}
      class="field"
      spellcheck={false}
      value={value === undefined ? '' : JSON.stringify(value, null, 2)}
      onChange={({ currentTarget }) => {
        try {
          onChange(currentTarget.value.trim() === '' ? undefined : JSON.parse(currentTarget.value));
          currentTarget.setCustomValidity('');
        } catch {
          currentTarget.setCustomValidity('This is not JSON.');
          currentTarget.reportValidity();
        }
      }}
    />
  );
}
