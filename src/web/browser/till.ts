// Progressive enhancement: the till works without this script.
import { press } from '../ui/keypad.ts';
import './personal.ts';

// Keys of the keypad: without this script each is a request.
const amount = document.querySelector<HTMLInputElement>('[data-keys]');
document.addEventListener('click', (event) => {
  const key = (event.target as Element).closest<HTMLButtonElement>('.keys button');
  if (!key || !amount) return;
  event.preventDefault();
  amount.value = press(amount.value, key.value);
});
// Digits go into the amount wherever the focus is, as on a till of its own.
document.addEventListener('keydown', ({ key, ctrlKey, metaKey, altKey }) => {
  if (
    amount &&
    document.activeElement === document.body &&
    /^[\d,]$/.test(key) &&
    !ctrlKey &&
    !metaKey &&
    !altKey
  )
    amount.focus();
});

// Says that there is no connection.
const setOffline = (isOffline: boolean) => {
  const banner = document.querySelector<HTMLElement>('[data-offline]');
  if (banner) banner.hidden = !isOffline;
};
addEventListener('offline', () => setOffline(true));
addEventListener('online', () => setOffline(false));
setOffline(!navigator.onLine);

// A form marked data-keep="sending" is sent without leaving the page: if the line breaks, it is still there with its key, and sending
// it again is the same sale.
const ANSWER_MS = 12_000;
document.addEventListener('submit', (event) => {
  const form = event.target as HTMLFormElement;
  if (form.dataset.keep !== 'sending' || event.defaultPrevented) return;
  event.preventDefault();
  void send(form, event.submitter as HTMLButtonElement | null);
});

async function send(form: HTMLFormElement, pressed: HTMLButtonElement | null): Promise<void> {
  const body = new URLSearchParams(new FormData(form) as unknown as Record<string, string>);
  if (pressed?.name) body.set(pressed.name, pressed.value);
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), ANSWER_MS);
  try {
    const { url, ok, text } = await post(form.action, body, late.signal);
    setOffline(false);
    // Something is to be mended on this page, which is shown once.
    const isHere = new URL(url).pathname === location.pathname;
    const fresh = isHere && ok ? new DOMParser().parseFromString(text, 'text/html') : undefined;
    const main = fresh?.querySelector('main');
    if (!main) return location.assign(url);
    document.title = fresh!.title;
    document.querySelector('main')!.replaceChildren(...main.childNodes);
    document.querySelector<HTMLElement>('[autofocus]')?.focus();
  } catch {
    setOffline(true);
    form.ariaBusy = null;
  } finally {
    clearTimeout(timer);
  }
}

async function post(address: string, body: URLSearchParams, signal: AbortSignal) {
  const answer = await fetch(address, { method: 'POST', body, signal });
  return { url: answer.url, ok: answer.ok, text: await answer.text() };
}

// Sold: a short sound, and the phone shakes. Browsers may forbid both.
const shown = document.getElementById('venda');
shown?.addEventListener('changed', () => {
  if (!shown.dataset.state?.startsWith('accepted')) return;
  scrollTo(0, 0);
  try {
    chime();
    navigator.vibrate?.(200);
  } catch {}
});

function chime(): void {
  const audio = new AudioContext();
  [660, 990].forEach((pitch, i) => {
    const [tone, volume] = [audio.createOscillator(), audio.createGain()];
    const at = audio.currentTime + i * 0.14;
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.25, at);
    volume.gain.exponentialRampToValueAtTime(0.001, at + 0.35);
    tone.connect(volume).connect(audio.destination);
    tone.start(at);
    tone.stop(at + 0.4);
  });
}

document.addEventListener('click', (event) => {
  if ((event.target as Element).closest('[data-print]')) print();
});
for (const button of document.querySelectorAll<HTMLElement>('[data-print]')) button.hidden = false;
