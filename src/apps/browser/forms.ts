import './masks.ts';

// While the visitor types into a form marked data-live, the elements with the ids in this attribute are updated. Its button marked
// data-spare is needed only without scripts and is hidden. A form marked data-once ignores a second submit.

const DEBOUNCE_MS = 160;
/** The time after which a form marked data-once can be submitted again. */
const RESUBMIT_AFTER_MS = 15_000;

const ERROR_ATTRIBUTES = ['aria-invalid', 'aria-describedby'];

/**
 * Fetches a page and copies the content of its elements with these ids to this page, if `accepts` approves the fetched page. Returns
 * the fetched page, or undefined if nothing was copied.
 */
export async function replaceElements(
  url: string | URL,
  ids: string[],
  accepts: (page: Document) => boolean,
): Promise<Document | undefined> {
  const response = await fetch(url, { headers: { accept: 'text/html' } }).catch(() => null);
  if (!response?.ok || response.redirected) return undefined;
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  if (!accepts(page)) return undefined;
  for (const id of ids) {
    const newElement = page.getElementById(id);
    if (newElement) document.getElementById(id)?.replaceChildren(...newElement.childNodes);
  }
  // The fields themselves are not replaced, so their error attributes are copied.
  for (const field of document.querySelectorAll('form[data-live] :is(input, select)[id]'))
    for (const name of ERROR_ATTRIBUTES) {
      const value = page.getElementById(field.id)?.getAttribute(name);
      if (value) field.setAttribute(name, value);
      else field.removeAttribute(name);
    }
  return page;
}

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-live]')) {
  const ids = form.dataset.live!.split(' ');
  const spareButton = form.querySelector<HTMLButtonElement>('[data-spare]');
  if (spareButton) spareButton.hidden = true;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastRequestNumber = 0;

  const update = async () => {
    const requestNumber = ++lastRequestNumber;
    const fields = [...new FormData(form)].filter(([, value]) => value !== '') as string[][];
    const url = new URL(form.action);
    url.search = String(new URLSearchParams(fields));
    url.hash = '';
    // A response to older input is ignored.
    const newPage = await replaceElements(url, ids, () => requestNumber === lastRequestNumber);
    if (newPage) history.replaceState(null, '', url);
    // The request failed: the button lets the visitor try again.
    else if (spareButton && requestNumber === lastRequestNumber) spareButton.hidden = false;
  };

  form.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => void update(), DEBOUNCE_MS);
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    clearTimeout(timer);
    void update();
  });
}

// The listener is on the document, so that it also covers forms that are inserted later.
document.addEventListener('submit', (event) => {
  const form = event.target as HTMLFormElement;
  if (!form.matches('[data-once]')) return;
  if (form.ariaBusy === 'true') event.preventDefault();
  form.ariaBusy = 'true';
  // Without a response, or if the visitor stopped loading, the form can be sent again: the idempotency key prevents a second effect.
  setTimeout(() => {
    form.ariaBusy = null;
  }, RESUBMIT_AFTER_MS);
});
// On a page from the back/forward cache the form can be sent again.
addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-once]')) form.ariaBusy = null;
});
