// Shows suggestions under the search field of the back office while the user types. Arrow keys move through them, Esc closes them.
const DEBOUNCE_MS = 200;
const MIN_QUERY_LENGTH = 2;

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
  let request: AbortController | undefined;

  const closeSuggestions = () => {
    clearTimeout(timer);
    request?.abort();
    list.hidden = true;
  };

  const showSuggestions = async () => {
    request?.abort();
    request = new AbortController();
    const { signal } = request;
    const url = `/busca/sugestoes?${new URLSearchParams({ q: field.value })}`;
    const response = await fetch(url, { signal });
    // A redirect means that the session has ended. The user signs in after submitting the search.
    if (!response.ok || response.redirected) return closeSuggestions();
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    if (signal.aborted) return;
    list.replaceChildren(...page.body.childNodes);
    list.hidden = false;
  };

  field.addEventListener('input', () => {
    clearTimeout(timer);
    if (field.value.trim().length < MIN_QUERY_LENGTH) return closeSuggestions();
    // A failed request shows no suggestions; Enter still submits the search.
    timer = setTimeout(() => void showSuggestions().catch(() => undefined), DEBOUNCE_MS);
  });

  form.addEventListener('keydown', (event) => {
    if (list.hidden) return;
    if (event.key === 'Escape') {
      event.stopPropagation();
      // Browsers clear a search field on Escape.
      event.preventDefault();
      closeSuggestions();
      field.focus();
    }
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    const focusableElements: HTMLElement[] = [field, ...list.querySelectorAll('a')];
    const currentIndex = focusableElements.indexOf(document.activeElement as HTMLElement);
    const offset = event.key === 'ArrowDown' ? 1 : -1;
    focusableElements[(currentIndex + offset + focusableElements.length) % focusableElements.length]!.focus();
  });
  form.addEventListener('focusout', ({ relatedTarget }) => {
    if (!form.contains(relatedTarget as Node | null)) closeSuggestions();
  });
  form.addEventListener('submit', closeSuggestions);
}
