import './masks.ts';

// A form marked data-live shows its answer while one types, and needs no button marked data-spare; one marked data-once is sent once.

const PATIENCE_MS = 160;
const ANSWER_MS = 15_000;

const TIES = ['aria-invalid', 'aria-describedby'];

/** Puts what another rendering of a page has into the elements with these ids, if it is wanted then. */
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
  // What is wrong with a field of a form that stays is said of the field, too.
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
    // To try again with.
    else if (spare && mine === asked) spare.hidden = false;
  };

  form.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => void show(), PATIENCE_MS);
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    clearTimeout(timer);
    void show();
  });
}

// On the document: a form that was swapped in is held to it, too.
document.addEventListener('submit', (event) => {
  const form = event.target as HTMLFormElement;
  if (!form.matches('[data-once]')) return;
  if (form.ariaBusy === 'true') event.preventDefault();
  form.ariaBusy = 'true';
  // No answer, or whoever waited has stopped it: it may be sent again, and counts once all the same.
  setTimeout(() => {
    form.ariaBusy = null;
  }, ANSWER_MS);
});
// Back from the next page, out of memory: it may be sent again.
addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-once]')) form.ariaBusy = null;
});
