// Saves what the visitor types into forms marked data-save-input in this tab, without passwords and codes, and restores it when the
// page is loaded again, for example after a lost connection. For a signed-in visitor the next page deletes what it does not restore.
// The form of a sale (data-save-input="sending") is saved with its idempotency key, so that sending it again does not create a second
// sale.

const TTL_MS = 30 * 60_000;

type SavedInput = { at: number; values: string[] };

const findKey = (form: HTMLFormElement) => `formulario ${location.pathname}${location.search} ${form.action}`;

function savedFields(form: HTMLFormElement): HTMLInputElement[] {
  const typed = 'input:not([type=hidden], [type=password], [type=checkbox], [name=code], [name=new_code])';
  const isSending = form.dataset.saveInput === 'sending';
  return [...form.querySelectorAll<HTMLInputElement>(isSending ? `${typed}, [name=chave]` : typed)];
}

function saveInput({ target }: Event): void {
  const form = (target as HTMLElement).closest<HTMLFormElement>('form[data-save-input]');
  const values = form ? savedFields(form).map(({ value }) => value) : [];
  if (form && values.length > 0)
    sessionStorage.setItem(findKey(form), JSON.stringify({ at: Date.now(), values }));
}

function restoreInput(form: HTMLFormElement): void {
  const saved = JSON.parse(sessionStorage.getItem(findKey(form)) ?? 'null') as SavedInput | null;
  if (!saved || Date.now() - saved.at > TTL_MS) return;
  savedFields(form).forEach((field, i) => {
    const value = saved.values[i] ?? '';
    if (field.name === 'chave') field.value = value;
    else field.value ||= value;
  });
}

// The browser may forbid storage: the page then works without saved values.
try {
  const forms = [...document.querySelectorAll<HTMLFormElement>('form[data-save-input]')];
  const keys = new Set(forms.map(findKey));
  if (!document.body.classList.contains('signed-out'))
    for (const key of Object.keys(sessionStorage)) if (!keys.has(key)) sessionStorage.removeItem(key);
  for (const form of forms) restoreInput(form);
  document.addEventListener('input', saveInput);
  document.addEventListener('submit', saveInput, true);
} catch {}
