// Progressive enhancement: pages for one person work without this script.
import { swap } from './forms.ts';
import './keep.ts';

const { home, worker } = document.body.dataset;

// Copy and share buttons need the script, so they are hidden until now.
const SAID_MS = 2_500;
for (const button of document.querySelectorAll<HTMLButtonElement>('[data-copy]')) button.hidden = false;
for (const button of document.querySelectorAll<HTMLButtonElement>('[data-share]'))
  button.hidden = !('share' in navigator);

document.addEventListener('click', (event) => {
  const button = (event.target as Element).closest<HTMLButtonElement>('[data-copy], [data-share]');
  if (!button) return;
  const { copy, share, shareLink } = button.dataset;
  if (share !== undefined) {
    // Closing the share dialogue rejects; that is no failure.
    void navigator.share({ title: 'Semana', text: share, url: shareLink! }).catch(() => undefined);
    return;
  }
  const field = document.getElementById(copy!) as HTMLInputElement | HTMLTextAreaElement;
  field.select();
  // Over plain http there is no navigator.clipboard.
  const copied = navigator.clipboard
    ? navigator.clipboard.writeText(field.value)
    : document.execCommand('copy')
      ? Promise.resolve()
      : Promise.reject(new Error());
  void copied.then(
    () => say(button, 'Copiado'),
    () => say(button, 'Segure o código para copiar'),
  );
});

function say(button: HTMLButtonElement, text: string): void {
  button.dataset.text ??= button.textContent ?? '';
  button.textContent = text;
  button.ariaLive = 'polite';
  setTimeout(() => {
    button.textContent = button.dataset.text!;
  }, SAID_MS);
}

// A page that waits for a payment or an answer updates itself: on a server-sent event, if somebody is signed in, when the tab
// becomes visible again, and by polling, because connections break and phones sleep.
const LOOK_MS = 20_000;
const waiting = document.querySelector<HTMLElement>('[data-stream]');
let stream: EventSource | undefined;
let isLooking = false;
let isWanted = false;

/** Reads the page now. If called during a read, it reads once more after that, because the first may be older than the event. */
function look(): void {
  isWanted = true;
  if (isLooking) return;
  isLooking = true;
  void lookAgain().finally(() => {
    isLooking = false;
  });
}

async function lookAgain(): Promise<void> {
  let isOver = false;
  let hadFocus = false;
  while (isWanted && !isOver && waiting) {
    isWanted = false;
    hadFocus = waiting.contains(document.activeElement);
    // Swapped only when its state has changed: a screen reader would read unchanged content again.
    await swap(location.href, [waiting.id], (page) => {
      const { id, dataset } = waiting;
      const fresh = page.getElementById(id);
      if (!fresh || fresh.dataset.state === dataset.state) return false;
      if ('reload' in dataset) {
        // While a form is on its way, its answer shows the change.
        if (!document.querySelector('form[aria-busy=true]')) location.reload();
        return false;
      }
      dataset.state = fresh.dataset.state;
      isOver = !('stream' in fresh.dataset);
      waiting.dispatchEvent(new Event('changed'));
      return true;
    });
  }
  if (!isOver) return;
  stream?.close();
  if (hadFocus) waiting?.focus();
  document.querySelector('.sandbox .meanwhile')?.remove();
  document.title = document.title.replace('Pagar com PIX', 'PIX');
}

if (waiting) {
  if (waiting.dataset.stream) stream = new EventSource(waiting.dataset.stream);
  stream?.addEventListener('novo', look);
  stream?.addEventListener('fim', () => {
    stream?.close();
    location.reload();
  });
  addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') look();
  });
  setInterval(() => {
    if (document.visibilityState === 'visible' && stream?.readyState !== EventSource.CLOSED) look();
  }, LOOK_MS);
}

// Countdown to the code's expiry, from the seconds the server gave: phones' clocks are unreliable.
const startedAt = performance.now();
const countdown = document.querySelector<HTMLElement>('[data-countdown]');
function countDown(place: HTMLElement): void {
  const seconds = Number(place.dataset.countdown) - (performance.now() - startedAt) / 1000;
  const left = Math.max(0, Math.round(seconds));
  const [h, m, s] = [Math.floor(left / 3600), Math.floor(left / 60) % 60, left % 60];
  const two = (n: number) => String(n).padStart(2, '0');
  place.textContent = ` (${h > 0 ? `${h}h${two(m)}` : `${m}:${two(s)}`})`;
  if (left > 0) setTimeout(countDown, 1_000, place);
  else look();
}
if (countdown) countDown(countdown);

// Leads back to the shop. The page is replaced, so that the shop's back button does not lead here and back again.
const LEAD_MS = 5_000;
const lead = document.querySelector<HTMLAnchorElement>('a[data-lead]');
if (lead) setTimeout(() => location.replace(lead.href), LEAD_MS);

// Signing out in one tab signs out all tabs.
const tabs = 'BroadcastChannel' in globalThis ? new BroadcastChannel(home!) : undefined;
if (document.querySelector('[data-left]')) tabs?.postMessage('saiu');
tabs?.addEventListener('message', () => {
  if (!document.body.classList.contains('signed-out')) location.reload();
});
// A page from the back/forward cache reloads, so that nothing of an ended session is shown.
addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload();
});

document.querySelector('[data-again]')?.addEventListener('click', (event) => {
  event.preventDefault();
  location.reload();
});

if (worker && 'serviceWorker' in navigator)
  void navigator.serviceWorker.register(worker, { scope: home! }).catch(() => undefined);
