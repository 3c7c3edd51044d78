import './masks.ts';

// A form marked data-live updates its results while typing; its button marked data-spare is hidden. A form marked data-once
// ignores a second submit.

const DEBOUNCE_MS = 160;
const ANSWER_MS = 15_000;

const TIES = ['aria-invalid', 'aria-describedby'];

/** Fetches a page and replaces the elements with these ids by its versions, unless `isWanted` says no. */
export async function swap(
  address: string | URL,
  ids: string[],
  isWanted: (page: Document) => boolean,
): Promise<boolean> {
  const response = await fetch(address, { headers: { accept: 'text/html' } }).catch(() => null);
  if (!response?.ok || response.redirected) return false;
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  if (!isWanted(page)) return false;
  for (const id of ids) {
    const fresh = page.getElementById(id);
    if (fresh) document.getElementById(id)?.replaceChildren(...fresh.childNodes);
  }
  // The fields themselves are not replaced, so their error attributes are copied.
  for (const field of document.querySelectorAll('form[data-live] :is(input, select)[id]'))
    for (const name of TIES) {
      const value = page.getElementById(field.id)?.getAttribute(name);
      if (value) field.setAttribute(name, value);
      else field.removeAttribute(name);
    }
  return true;
}

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-live]')) {
  const parts = form.dataset.live!.split(' ');
  const spare = form.querySelector<HTMLButtonElement>('[data-spare]');
  if (spare) spare.hidden = true;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asked = 0;

  const show = async () => {
    const mine = ++asked;
    const fields = [...new FormData(form)].filter(([, value]) => value !== '') as string[][];
    const address = new URL(form.action);
    address.search = String(new URLSearchParams(fields));
    address.hash = '';
    const isShown = await swap(address, parts, () => mine === asked);
    if (isShown) history.replaceState(null, '', address);
    // Failed: shows the button to try again.
    else if (spare && mine === asked) spare.hidden = false;
  };

  form.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => void show(), DEBOUNCE_MS);
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    clearTimeout(timer);
    void show();
  });
}

// On the document, so that it covers forms that were swapped in.
document.addEventListener('submit', (event) => {
  const form = event.target as HTMLFormElement;
  if (!form.matches('[data-once]')) return;
  if (form.ariaBusy === 'true') event.preventDefault();
  form.ariaBusy = 'true';
  // No answer, or the visitor stopped loading: it may be sent again. The idempotency key makes both one.
  setTimeout(() => {
    form.ariaBusy = null;
  }, ANSWER_MS);
});
// From the back/forward cache: it may be sent again.
addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-once]')) form.ariaBusy = null;
});
