// Progressive enhancement: the wallet, the till and the payment pages work without this script.
import { replaceElements } from './forms.ts';
import './saved-input.ts';

// `home`: the path of the app's home page. `worker`: the path of its service worker. `scope`: the prefix of the paths that the
// service worker controls.
const { home, worker, scope } = document.body.dataset;

// Copy and share buttons need this script, so the page renders them hidden.
const BUTTON_TEXT_MS = 2_500;
for (const button of document.querySelectorAll<HTMLButtonElement>('[data-copy]')) button.hidden = false;
for (const button of document.querySelectorAll<HTMLButtonElement>('[data-share]'))
  button.hidden = !('share' in navigator);

document.addEventListener('click', (event) => {
  const button = (event.target as Element).closest<HTMLButtonElement>('[data-copy], [data-share]');
  if (!button) return;
  const { copy: fieldId, share: sharedText, shareLink } = button.dataset;
  if (sharedText !== undefined) {
    // Closing the share dialog rejects the promise, which is not an error.
    void navigator.share({ title: 'Semana', text: sharedText, url: shareLink! }).catch(() => undefined);
    return;
  }
  const field = document.getElementById(fieldId!) as HTMLInputElement | HTMLTextAreaElement;
  field.select();
  // navigator.clipboard is missing over plain http.
  const showResult = (isCopied: boolean) =>
    showTemporaryText(button, isCopied ? 'Copiado' : 'Segure o código para copiar');
  if (!navigator.clipboard) return showResult(document.execCommand('copy'));
  void navigator.clipboard.writeText(field.value).then(
    () => showResult(true),
    () => showResult(false),
  );
});

function showTemporaryText(button: HTMLButtonElement, text: string): void {
  button.dataset.text ??= button.textContent ?? '';
  button.textContent = text;
  button.ariaLive = 'polite';
  setTimeout(() => {
    button.textContent = button.dataset.text!;
  }, BUTTON_TEXT_MS);
}

// A page that waits for a payment or a decision updates itself: on a server-sent event if the visitor is signed in, when the tab
// becomes visible again, and by polling, because connections break and phones sleep. Its live element has these attributes:
// data-stream: the URL of the events, empty if the visitor is not signed in; missing once the state is final.
// data-state: changes whenever the content should be replaced. data-reload: the whole page is loaded again instead.
// The stream has two events: `novo` if the state may have changed, and `fim` once the session has ended.
const POLL_MS = 20_000;
const liveElement = document.querySelector<HTMLElement>('[data-stream]');
let stream: EventSource | undefined;
let isRefreshing = false;
let isRefreshRequested = false;

/** Fetches the page again. A call during a fetch causes another one, because the first response may be older than the event. */
function refresh(): void {
  isRefreshRequested = true;
  if (isRefreshing || !liveElement) return;
  isRefreshing = true;
  void refreshWhileRequested(liveElement).finally(() => {
    isRefreshing = false;
  });
}

async function refreshWhileRequested(element: HTMLElement): Promise<void> {
  while (isRefreshRequested) {
    isRefreshRequested = false;
    const hadFocus = element.contains(document.activeElement);
    const newPage = await replaceElements(location.href, [element.id], (page) =>
      acceptNewState(element, page),
    );
    if (newPage && !('stream' in newPage.getElementById(element.id)!.dataset))
      return finishWaiting(element, { hadFocus });
  }
}

/**
 * Stores the state of the fetched page if it has changed, or reloads this page. Returns whether to replace the content: a screen
 * reader would read unchanged content again.
 */
function acceptNewState(element: HTMLElement, page: Document): boolean {
  const { id, dataset } = element;
  const newElement = page.getElementById(id);
  if (!newElement || newElement.dataset.state === dataset.state) return false;
  if ('reload' in dataset) {
    // While a form is being submitted, its response will show the change.
    if (!document.querySelector('form[aria-busy=true]')) location.reload();
    return false;
  }
  dataset.state = newElement.dataset.state;
  // The listeners are in push.ts and till.ts.
  element.dispatchEvent(new Event('statechanged'));
  return true;
}

function finishWaiting(element: HTMLElement, { hadFocus }: { hadFocus: boolean }): void {
  stream?.close();
  if (hadFocus) element.focus();
  // The sandbox tools for the pending state, such as paying the charge, no longer apply.
  document.querySelector('.sandbox .while-pending')?.remove();
  document.title = document.title.replace('Pagar com PIX', 'PIX');
}

if (liveElement) {
  if (liveElement.dataset.stream) stream = new EventSource(liveElement.dataset.stream);
  stream?.addEventListener('novo', refresh);
  stream?.addEventListener('fim', () => {
    stream?.close();
    location.reload();
  });
  addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') refresh();
  });
  // The stream is closed when the state is final. A visitor who is not signed in has none, and polls.
  setInterval(() => {
    if (document.visibilityState === 'visible' && stream?.readyState !== EventSource.CLOSED) refresh();
  }, POLL_MS);
}

// The countdown to the expiry starts from the seconds that the server sent, because the clocks of phones are unreliable.
const loadedAtMs = performance.now();
const countdownElement = document.querySelector<HTMLElement>('[data-countdown]');
function updateCountdown(element: HTMLElement): void {
  const exactSecondsLeft = Number(element.dataset.countdown) - (performance.now() - loadedAtMs) / 1000;
  const secondsLeft = Math.max(0, Math.round(exactSecondsLeft));
  const hours = Math.floor(secondsLeft / 3600);
  const minutes = Math.floor(secondsLeft / 60) % 60;
  const timeLeft =
    hours > 0
      ? `${hours} h ${minutes} min`
      : minutes > 0
        ? `${minutes} min ${secondsLeft % 60} s`
        : `${secondsLeft} s`;
  element.textContent = ` (faltam ${timeLeft})`;
  if (secondsLeft > 0) setTimeout(updateCountdown, 1_000, element);
  else refresh();
}
if (countdownElement) updateCountdown(countdownElement);

// Redirects back to the shop. The history entry is replaced, so that going back from the shop does not redirect again.
const REDIRECT_MS = 5_000;
const redirectLink = document.querySelector<HTMLAnchorElement>('a[data-redirect]');
if (redirectLink) setTimeout(() => location.replace(redirectLink.href), REDIRECT_MS);

// Signing out in one tab signs out all tabs of the app, which is identified by the path of its home page.
const tabChannel = 'BroadcastChannel' in globalThis ? new BroadcastChannel(home!) : undefined;
if (document.querySelector('[data-signed-out]')) tabChannel?.postMessage('signed out');
tabChannel?.addEventListener('message', () => {
  if (!document.body.classList.contains('signed-out')) location.reload();
});
// A page from the back/forward cache reloads, so that it shows no data of an ended session.
addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload();
});

document.querySelector('[data-retry]')?.addEventListener('click', (event) => {
  event.preventDefault();
  location.reload();
});

if (worker && 'serviceWorker' in navigator)
  void navigator.serviceWorker.register(worker, { scope: scope! }).catch(() => undefined);
