// The wallet works without this: it only saves a click here and there.
import { swap } from './forms.ts';

// Copying and sharing: buttons that could do nothing without a script are hidden until now.
const SAID_MS = 2_500;
for (const button of document.querySelectorAll<HTMLButtonElement>('[data-copy]')) button.hidden = false;
for (const button of document.querySelectorAll<HTMLButtonElement>('[data-share]'))
  button.hidden = !('share' in navigator);

document.addEventListener('click', (event) => {
  const button = (event.target as Element).closest<HTMLButtonElement>('[data-copy], [data-share]');
  if (!button) return;
  const { copy, share, shareLink } = button.dataset;
  if (share !== undefined) {
    // Whoever closes the dialogue has not failed.
    void navigator.share({ title: 'Semana', text: share, url: shareLink! }).catch(() => undefined);
    return;
  }
  const field = document.getElementById(copy!) as HTMLInputElement | HTMLTextAreaElement;
  field.select();
  // Where pages come over plain http there is no clipboard but the old way.
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

// A page that waits for money turns green by itself: told by the server, and when one comes back from the bank's app. Lines break
// and phones sleep, so it looks by itself now and then, too.
const LOOK_MS = 20_000;
const waiting = document.querySelector<HTMLElement>('[data-stream]');
let stream: EventSource | undefined;
let isLooking = false;
let isWanted = false;

/** Looks now; asked while it does, once more after that: what was told meanwhile may not be in what was read. */
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
    // While nothing has changed nothing is: a screen reader would say it all again.
    isOver = await swap(location.href, [waiting.id], (page) => !page.querySelector('[data-stream]'));
  }
  if (!isOver) return;
  stream?.close();
  if (hadFocus) waiting?.focus();
  document.querySelector('.sandbox form[action$="/pagar"]')?.remove();
  document.title = document.title.replace('Pagar com PIX', 'PIX');
}

if (waiting) {
  stream = new EventSource(waiting.dataset.stream!);
  stream.addEventListener('novo', look);
  stream.addEventListener('fim', () => {
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

// How long a code still lives. The server said how many seconds: clocks of phones are wrong.
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

// Who leaves in one tab has left in all.
const tabs = 'BroadcastChannel' in globalThis ? new BroadcastChannel('carteira') : undefined;
if (document.querySelector('[data-left]')) tabs?.postMessage('saiu');
tabs?.addEventListener('message', () => {
  if (!document.body.classList.contains('signed-out')) location.reload();
});
// Nothing of a session that is over comes back out of memory.
addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload();
});

document.querySelector('[data-again]')?.addEventListener('click', (event) => {
  event.preventDefault();
  location.reload();
});

if ('serviceWorker' in navigator && !document.querySelector('[data-again]'))
  void navigator.serviceWorker.register('/worker.js', { scope: '/carteira' }).catch(() => undefined);
