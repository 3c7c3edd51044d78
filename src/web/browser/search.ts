// Search as one types: what is found is shown under the field of the office's search. Arrows walk it, Esc closes it.
const DEBOUNCE_MS = 200;
const SHORTEST = 2;

const field = document.querySelector<HTMLInputElement>('#busca');
const form = field?.form;

if (field && form) {
  const list = document.createElement('div');
  list.className = 'office-found';
  list.id = 'encontrados';
  list.ariaLive = 'polite';
  list.hidden = true;
  form.append(list);
  field.setAttribute('aria-controls', list.id);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asked: AbortController | undefined;

  const close = () => {
    clearTimeout(timer);
    asked?.abort();
    list.hidden = true;
  };

  const show = async () => {
    asked?.abort();
    asked = new AbortController();
    const { signal } = asked;
    const address = `/busca/sugestoes?${new URLSearchParams({ q: field.value })}`;
    const response = await fetch(address, { signal });
    // Signed out meanwhile: Enter leads to the sign-in.
    if (!response.ok || response.redirected) return close();
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    if (signal.aborted) return;
    list.replaceChildren(...page.body.childNodes);
    list.hidden = false;
  };

  field.addEventListener('input', () => {
    clearTimeout(timer);
    if (field.value.trim().length < SHORTEST) return close();
    // What fails is searched with Enter.
    timer = setTimeout(() => void show().catch(() => undefined), DEBOUNCE_MS);
  });

  form.addEventListener('keydown', (event) => {
    if (list.hidden) return;
    if (event.key === 'Escape') {
      event.stopPropagation();
      // A browser would empty the field.
      event.preventDefault();
      close();
      field.focus();
    }
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    const stops: HTMLElement[] = [field, ...list.querySelectorAll('a')];
    const at = stops.indexOf(document.activeElement as HTMLElement);
    const by = event.key === 'ArrowDown' ? 1 : -1;
    stops[(at + by + stops.length) % stops.length]!.focus();
  });
  form.addEventListener('focusout', ({ relatedTarget }) => {
    if (!form.contains(relatedTarget as Node | null)) close();
  });
  form.addEventListener('submit', close);
}
