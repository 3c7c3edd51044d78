// What is typed in a form marked data-keep is there again when the page had to be loaded anew, as after a lost connection. It is kept
// in this tab, without passwords and codes, and forgotten once somebody is signed in. The form of a sale (data-keep="sending") is
// kept with its key, so that sending it again is the same sale, and forgotten on the next page.

const KEPT_MS = 30 * 60_000;
const KEY = `formulario ${location.pathname}${location.search}`;

type SavedForm = { at: number; values: string[] };

const form = document.querySelector<HTMLFormElement>('form[data-keep]');
const isSending = form?.dataset.keep === 'sending';

function fieldsOf(kept: HTMLFormElement): HTMLInputElement[] {
  const typed = 'input:not([type=hidden], [type=password], [type=checkbox], [name=code])';
  return [...kept.querySelectorAll<HTMLInputElement>(isSending ? `${typed}, [name=chave]` : typed)];
}

function keep({ target }: Event): void {
  const changed = (target as HTMLElement).closest<HTMLFormElement>('form[data-keep]');
  if (!changed) return;
  const values = fieldsOf(changed).map(({ value }) => value);
  sessionStorage.setItem(KEY, JSON.stringify({ at: Date.now(), values }));
}

// Storage may be forbidden.
try {
  if (!document.body.classList.contains('signed-out') && !isSending) sessionStorage.clear();
  const kept = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as SavedForm | null;
  if (form && kept && Date.now() - kept.at < KEPT_MS)
    fieldsOf(form).forEach((field, i) => {
      const value = kept.values[i] ?? '';
      if (field.name === 'chave') field.value = value;
      else field.value ||= value;
    });
  document.addEventListener('input', keep);
  document.addEventListener('submit', keep, true);
} catch {}
