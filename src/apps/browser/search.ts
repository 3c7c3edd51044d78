// Shows suggestions under the search field of the back office while the user types. Arrow keys move through them, Esc closes them.
const DEBOUNCE_MS = 200;
const MIN_QUERY_LENGTH = 2;

const searchField = document.querySelector<HTMLInputElement>('#busca');
const form = searchField?.form;

if (searchField && form) {
  const suggestionList = document.createElement('div');
  suggestionList.className = 'office-found';
  suggestionList.id = 'encontrados';
  suggestionList.ariaLive = 'polite';
  suggestionList.hidden = true;
  form.append(suggestionList);
  searchField.setAttribute('aria-controls', suggestionList.id);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let requestController: AbortController | undefined;

  const closeSuggestions = () => {
    clearTimeout(timer);
    requestController?.abort();
    suggestionList.hidden = true;
  };

  const showSuggestions = async () => {
    requestController?.abort();
    requestController = new AbortController();
    const { signal } = requestController;
    const url = `/busca/sugestoes?${new URLSearchParams({ q: searchField.value })}`;
    const response = await fetch(url, { signal });
    // A redirect means that the session has ended. The user signs in after submitting the search.
    if (!response.ok || response.redirected) return closeSuggestions();
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    if (signal.aborted) return;
    suggestionList.replaceChildren(...page.body.childNodes);
    suggestionList.hidden = false;
  };

  searchField.addEventListener('input', () => {
    clearTimeout(timer);
    if (searchField.value.trim().length < MIN_QUERY_LENGTH) return closeSuggestions();
    // A failed request shows no suggestions; Enter still submits the search.
    timer = setTimeout(() => void showSuggestions().catch(() => undefined), DEBOUNCE_MS);
  });

  form.addEventListener('keydown', (event) => {
    if (suggestionList.hidden) return;
    if (event.key === 'Escape') {
      event.stopPropagation();
      // Browsers clear a search field on Escape.
      event.preventDefault();
      closeSuggestions();
      searchField.focus();
    }
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    const focusableElements: HTMLElement[] = [searchField, ...suggestionList.querySelectorAll('a')];
    const currentIndex = focusableElements.indexOf(document.activeElement as HTMLElement);
    const offset = event.key === 'ArrowDown' ? 1 : -1;
    focusableElements[(currentIndex + offset + focusableElements.length) % focusableElements.length]!.focus();
  });
  form.addEventListener('focusout', ({ relatedTarget }) => {
    if (!form.contains(relatedTarget as Node | null)) closeSuggestions();
  });
  form.addEventListener('submit', closeSuggestions);
}
