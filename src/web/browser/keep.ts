// What is typed in a form marked data-keep is there again when the page had to be loaded anew, as after a lost connection. It is kept
// in this tab, without passwords and codes, and forgotten once somebody is signed in.

const KEPT_MS = 30 * 60_000;
const KEY = `formulario ${location.pathname}`;

const form = document.querySelector<HTMLFormElement>('form[data-keep]');
const fields = form?.querySelectorAll<HTMLInputElement>(
  'input:not([type=hidden], [type=password], [type=checkbox], [name=code])',
);

// Storage may be forbidden.
try {
  if (!document.body.classList.contains('signed-out')) sessionStorage.clear();
  const kept = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as { at: number; values: string[] } | null;
  fields?.forEach((field, i) => {
    if (kept && Date.now() - kept.at < KEPT_MS) field.value ||= kept.values[i] ?? '';
  });
  form?.addEventListener('input', () => {
    const values = [...fields!].map(({ value }) => value);
    sessionStorage.setItem(KEY, JSON.stringify({ at: Date.now(), values }));
  });
} catch {}
