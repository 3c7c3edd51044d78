// Saves the typed values of a form marked data-save-input in this tab, without passwords and codes, and restores them when the page
// is loaded again, for example after a lost connection. They are deleted once the visitor is signed in. The form of a sale
// (data-save-input="sending") is saved with its idempotency key, so that sending it again does not create a second sale; it is
// deleted by the next page.

const TTL_MS = 30 * 60_000;
const STORAGE_KEY = `formulario ${location.pathname}${location.search}`;

type SavedInput = { at: number; values: string[] };

const form = document.querySelector<HTMLFormElement>('form[data-save-input]');
const isSending = form?.dataset.saveInput === 'sending';

function savedFields(owner: HTMLFormElement): HTMLInputElement[] {
  const typed = 'input:not([type=hidden], [type=password], [type=checkbox], [name=code])';
  return [...owner.querySelectorAll<HTMLInputElement>(isSending ? `${typed}, [name=chave]` : typed)];
}

function saveInput({ target }: Event): void {
  const changedForm = (target as HTMLElement).closest<HTMLFormElement>('form[data-save-input]');
  if (!changedForm) return;
  const values = savedFields(changedForm).map(({ value }) => value);
  sessionStorage.setItem(STORAGE_KEY, JSON.stringify({ at: Date.now(), values }));
}

// The browser may forbid storage: the page then works without saved values.
try {
  if (!document.body.classList.contains('signed-out') && !isSending) sessionStorage.clear();
  const saved = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? 'null') as SavedInput | null;
  if (form && saved && Date.now() - saved.at < TTL_MS)
    savedFields(form).forEach((field, i) => {
      const value = saved.values[i] ?? '';
      if (field.name === 'chave') field.value = value;
      else field.value ||= value;
    });
  document.addEventListener('input', saveInput);
  document.addEventListener('submit', saveInput, true);
} catch {}
