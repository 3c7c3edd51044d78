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
  void navigator.clipboard.writeText(field.value).then(
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

// How long a code still lives. The server said how many seconds: clocks of phones are wrong.
const startedAt = performance.now();
const countDown = () => {
  for (const place of document.querySelectorAll<HTMLElement>('[data-countdown]')) {
    const left = Math.max(
      0,
      Math.round(Number(place.dataset.countdown) - (performance.now() - startedAt) / 1000),
    );
    const [h, m, s] = [Math.floor(left / 3600), Math.floor(left / 60) % 60, left % 60];
    const two = (n: number) => String(n).padStart(2, '0');
    place.textContent = ` (${h > 0 ? `${h}h${two(m)}` : `${m}:${two(s)}`})`;
    if (left === 0) void look();
  }
};
if (document.querySelector('[data-countdown]')) {
  countDown();
  setInterval(countDown, 1_000);
}

// A page that waits for money turns green by itself: told by the server, and when one comes back from the bank's app.
const waiting = document.querySelector<HTMLElement>('[data-stream]');
let lookedAt = 0;
async function look(): Promise<void> {
  if (!waiting || performance.now() - lookedAt < 300) return;
  lookedAt = performance.now();
  await swap(location.href, [waiting.id]);
  if (!waiting.querySelector('[data-countdown]')) {
    stream?.close();
    document.querySelector('.sandbox form[action$="/pagar"]')?.remove();
    document.title = document.title.replace('Pagar com PIX', 'Pago');
  }
}
let stream: EventSource | undefined;
if (waiting) {
  stream = new EventSource(waiting.dataset.stream!);
  stream.addEventListener('open', () => void look());
  stream.addEventListener('novo', () => void look());
  stream.addEventListener('fim', () => {
    stream?.close();
    location.reload();
  });
  addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void look();
  });
}

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
