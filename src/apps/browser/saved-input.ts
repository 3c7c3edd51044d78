// Saves what the visitor types into forms marked data-save-input in this tab, without passwords and codes, and restores it when the
// page is loaded again, for example after a lost connection. A page for a signed-in visitor deletes all session storage except the saved
// input of its own forms; no other script uses session storage. The form of a sale (data-save-input="in-place"), which is sent without
// leaving the page, is saved with its idempotency key (the field `chave`), so that sending it again does not create a second sale.

const TTL_MS = 30 * 60_000;

type SavedInput = { savedAt: number; values: string[] };

const buildStorageKey = (form: HTMLFormElement) =>
  `formulario ${location.pathname}${location.search} ${form.action}`;

function listSavedFields(form: HTMLFormElement): HTMLInputElement[] {
  const selector = 'input:not([type=hidden], [type=password], [type=checkbox], [name=code], [name=new_code])';
  const isSentInPlace = form.dataset.saveInput === 'in-place';
  return [...form.querySelectorAll<HTMLInputElement>(isSentInPlace ? `${selector}, [name=chave]` : selector)];
}

function saveInput({ target }: Event): void {
  const form = (target as HTMLElement).closest<HTMLFormElement>('form[data-save-input]');
  const values = form ? listSavedFields(form).map(({ value }) => value) : [];
  if (form && values.length > 0)
    sessionStorage.setItem(buildStorageKey(form), JSON.stringify({ savedAt: Date.now(), values }));
}

function restoreInput(form: HTMLFormElement): void {
  const savedInput = JSON.parse(sessionStorage.getItem(buildStorageKey(form)) ?? 'null') as SavedInput | null;
  if (!savedInput || Date.now() - savedInput.savedAt > TTL_MS) return;
  listSavedFields(form).forEach((field, i) => {
    const value = savedInput.values[i] ?? '';
    if (field.name === 'chave') field.value = value;
    else field.value ||= value;
  });
}

// The browser may forbid storage: the page then works without saved values.
try {
  const forms = [...document.querySelectorAll<HTMLFormElement>('form[data-save-input]')];
  const formKeys = new Set(forms.map(buildStorageKey));
  if (!document.body.classList.contains('signed-out'))
    for (const key of Object.keys(sessionStorage)) if (!formKeys.has(key)) sessionStorage.removeItem(key);
  for (const form of forms) restoreInput(form);
  document.addEventListener('input', saveInput);
  document.addEventListener('submit', saveInput, true);
} catch {}
