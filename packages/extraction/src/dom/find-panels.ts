/** Attributes with the id of the element that a control opens, of ARIA and Bootstrap. */
const CONTROL = [
  '[aria-controls]',
  '[data-bs-target]',
  '[data-target]',
  '[data-bs-toggle][href^="#"]',
  '[data-toggle][href^="#"]',
]
  .map((control) => `${control}:not(form)`)
  .join();
const TARGETS = ['aria-controls', 'data-bs-target', 'data-target', 'href'];
const TOGGLES = /^(?:collapse|tab|pill|list)$/;
/** A control without an id opens the next element. */
const EXPANDED = '[aria-expanded]:not(form, [aria-controls], [aria-haspopup])';
/** Elements around a control, at most, beside which the panel may stand. */
const WRAPPERS = 2;
/** Elements that contain no part of the text. */
const OUTSIDE = ['nav', 'header', 'footer', 'aside', 'dialog']
  .concat(
    ['alertdialog', 'combobox', 'dialog', 'listbox', 'menu', 'menubar', 'navigation', 'search', 'tooltip', 'tree'].map(
      (role) => `[role="${role}"]:not(form)`,
    ),
  )
  .join();
/** Words in the names of parts that open above a page or beside it. */
const NO_TEXT_NAME =
  /(?:^|[^a-z])(?:nav|navbar|navigation|menus?|submenu|megamenu|modals?|dialog|drawer|offcanvas|sidebar|cookies?|consent|search|log-?in|sign-?in|share|sharing|overlay|lightbox|filters?|facets?|cart|toast|tooltip|popover|popup)(?![a-z])/i;

/** Parts of a page that a control on it opens and closes, each with its control. */
export type Panels = ReadonlyMap<Element, Element>;

/**
 * Finds the parts of a page that its reader can open: answers, tab panels and `hidden="until-found"` content. Menus,
 * dialogs and content beside the text do not count.
 *
 * @param isHidden tells whether an element is hidden itself, such as a term without which its description is not shown
 */
export function findPanels(page: Document, isHidden: (element: Element) => boolean): Panels {
  const panels = new Map<Element, Element>();
  const outside = new Set<Element>();
  for (const element of page.querySelectorAll(OUTSIDE)) {
    if (outside.has(element)) continue;
    outside.add(element);
    for (const inner of element.querySelectorAll('*')) outside.add(inner);
  }
  const add = (panel: Element | null | undefined, control: Element) => {
    if (panel == null || panel === page.body) return;
    if (panels.has(panel) || outside.has(panel) || NO_TEXT_NAME.test(namesOf(panel))) return;
    panels.set(panel, control);
    const wrapper = panel.parentElement;
    if (wrapper !== null && isNoForm(wrapper) && wrapper.children.length === 1 && isHidden(wrapper))
      add(wrapper, control);
  };

  // Any property of a form may be one of its fields.
  const byId = new Map<string, Element>();
  for (const element of page.querySelectorAll('[id]:not(form)'))
    if (!byId.has(element.id)) byId.set(element.id, element);
  for (const control of page.querySelectorAll(CONTROL)) for (const id of targetsOf(control)) add(byId.get(id), control);
  for (const control of page.querySelectorAll(EXPANDED)) {
    const panel = nextTo(control);
    if (panel !== null && isHidden(panel)) add(panel, control);
  }
  for (const panel of page.querySelectorAll('[role="tabpanel"]:not(form), [hidden="until-found"]:not(form)'))
    add(panel, panel);
  for (const part of page.querySelectorAll('details > :not(summary, form)')) add(part, part.parentElement ?? part);
  for (const description of page.querySelectorAll('dd')) {
    const term = termOf(description);
    if (term === null || isHidden(term)) continue;
    add(description, term);
    add(description.querySelector(':scope > :only-child:not(form)'), term);
  }
  return panels;
}

/** Removes the attributes that hide a panel. */
export function reveal(panel: Element): void {
  for (const name of ['hidden', 'aria-hidden', 'style']) panel.removeAttribute(name);
  const classes = (panel.getAttribute('class') ?? '').split(/\s+/);
  const left = classes.filter((name) => name !== 'hidden' && name !== 'invisible');
  if (left.length < classes.length) panel.setAttribute('class', left.join(' '));
}

function targetsOf(control: Element): string[] {
  const toggle = control.getAttribute('data-bs-toggle') ?? control.getAttribute('data-toggle');
  const isAria = (name: string) => name.startsWith('aria-');
  return TARGETS.filter((name) => isAria(name) || TOGGLES.test(toggle ?? '')).flatMap((name) =>
    (control.getAttribute(name) ?? '').split(/\s+/).map((id) => (isAria(name) ? id : id.replace(/^#/, ''))),
  );
}

/** The element after a control, or after a parent that contains only the control. */
function nextTo(control: Element): Element | null {
  let place: Element | null = control;
  for (let level = 0; place !== null && level <= WRAPPERS && isNoForm(place); level++) {
    const next: Element | null = place.nextElementSibling;
    if (next !== null) return isNoForm(next) ? next : null;
    place = place.parentElement;
  }
  return null;
}

function isNoForm({ nodeName }: Element): boolean {
  return typeof nodeName === 'string' && nodeName.toUpperCase() !== 'FORM';
}

function termOf(description: Element): Element | null {
  let before = description.previousElementSibling;
  while (before?.matches('dd') === true) before = before.previousElementSibling;
  return before?.matches('dt') === true ? before : null;
}

/** The names of an element, with a hyphen where a word begins with a capital. */
function namesOf(element: Element): string {
  return `${element.id} ${element.getAttribute('class') ?? ''}`.replace(/(?<=[a-z])(?=[A-Z])/g, '-');
}
