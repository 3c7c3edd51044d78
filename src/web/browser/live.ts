// Everything works without this. A form marked data-live shows its answer while one types; one marked data-once is sent once.

const PATIENCE_MS = 160;

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-live]')) {
  const parts = form.dataset.live!.split(' ');
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asked = 0;

  const show = async () => {
    const mine = ++asked;
    const fields = [...new FormData(form)].filter(([, value]) => value !== '') as string[][];
    const address = new URL(form.action);
    address.search = String(new URLSearchParams(fields));
    address.hash = '';
    const response = await fetch(address, { headers: { accept: 'text/html' } }).catch(() => null);
    if (!response?.ok || mine !== asked) return; // the button still works
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    if (mine !== asked) return;
    for (const id of parts) {
      const fresh = page.getElementById(id);
      if (fresh) document.getElementById(id)?.replaceChildren(...fresh.childNodes);
    }
    history.replaceState(null, '', address);
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

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-once]')) {
  form.addEventListener('submit', (event) => {
    if (form.ariaBusy === 'true') event.preventDefault();
    form.ariaBusy = 'true';
  });
}
// Back from the next page, out of memory: it may be sent again.
addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-once]')) form.ariaBusy = null;
});

// A menu closes with Escape and when one goes elsewhere.
const menu = document.querySelector<HTMLDetailsElement>('details.menu');
addEventListener('keydown', ({ key }) => {
  if (key === 'Escape' && menu?.open) {
    menu.open = false;
    menu.querySelector('summary')?.focus();
  }
});
addEventListener('click', ({ target }) => {
  if (menu?.open && !menu.contains(target as Node)) menu.open = false;
});

// A link to one question opens it.
const wanted = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
if (wanted instanceof HTMLDetailsElement) wanted.open = true;
