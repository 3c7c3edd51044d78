// Progressive enhancement: the till works without this script.
import { pressKey } from '../ui/keypad.ts';
import './personal-pages.ts';

// Enters the keys of the keypad. Without this script each key is a request.
const amountInput = document.querySelector<HTMLInputElement>('[data-keys]');
document.addEventListener('click', (event) => {
  const keyButton = (event.target as Element).closest<HTMLButtonElement>('.keys button');
  if (!keyButton || !amountInput) return;
  event.preventDefault();
  amountInput.value = pressKey(amountInput.value, keyButton.value);
});
// Typed digits go into the amount if no other field has the focus, as on a cash register.
document.addEventListener('keydown', ({ key, ctrlKey, metaKey, altKey }) => {
  if (
    amountInput &&
    document.activeElement === document.body &&
    /^[\d,]$/.test(key) &&
    !ctrlKey &&
    !metaKey &&
    !altKey
  )
    amountInput.focus();
});

// Shows a banner while there is no connection.
const setOffline = (isOffline: boolean) => {
  const banner = document.querySelector<HTMLElement>('[data-offline]');
  if (banner) banner.hidden = !isOffline;
};
addEventListener('offline', () => setOffline(true));
addEventListener('online', () => setOffline(false));
setOffline(!navigator.onLine);

// A form marked data-save-input="in-place" is sent without leaving the page. If the connection fails, the form is still there with its
// idempotency key, and sending it again does not create a second sale.
const TIMEOUT_MS = 12_000;
document.addEventListener('submit', (event) => {
  const form = event.target as HTMLFormElement;
  if (form.dataset.saveInput !== 'in-place' || event.defaultPrevented) return;
  event.preventDefault();
  void sendInPlace(form, event.submitter as HTMLButtonElement | null);
});

async function sendInPlace(form: HTMLFormElement, submitter: HTMLButtonElement | null): Promise<void> {
  const body = new URLSearchParams(new FormData(form) as unknown as Record<string, string>);
  if (submitter?.name) body.set(submitter.name, submitter.value);
  const timeoutController = new AbortController();
  const timer = setTimeout(() => timeoutController.abort(), TIMEOUT_MS);
  try {
    const { url, ok, text } = await postForm(form.action, body, timeoutController.signal);
    setOffline(false);
    // A redirect to this page means that the form has errors. The response is rendered here, because the server shows them only once.
    const isSamePage = new URL(url).pathname === location.pathname;
    const page = isSamePage && ok ? new DOMParser().parseFromString(text, 'text/html') : undefined;
    const newMain = page?.querySelector('main');
    if (!newMain) return location.assign(url);
    document.title = page!.title;
    document.querySelector('main')!.replaceChildren(...newMain.childNodes);
    document.querySelector<HTMLElement>('[autofocus]')?.focus();
  } catch {
    setOffline(true);
    form.ariaBusy = null;
  } finally {
    clearTimeout(timer);
  }
}

async function postForm(url: string, body: URLSearchParams, signal: AbortSignal) {
  const response = await fetch(url, { method: 'POST', body, signal });
  return { url: response.url, ok: response.ok, text: await response.text() };
}

// When the customer accepts, the till plays a sound and the phone vibrates. Browsers may forbid both.
const saleElement = document.getElementById('venda');
saleElement?.addEventListener('statechanged', () => {
  if (!saleElement.dataset.state?.startsWith('accepted')) return;
  scrollTo(0, 0);
  try {
    playChime();
    navigator.vibrate?.(200);
  } catch {}
});

const CHIME_PITCHES_HZ = [660, 990];
const SECONDS_BETWEEN_TONES = 0.14;

/** Plays two tones, each of which fades out. */
function playChime(): void {
  const audio = new AudioContext();
  CHIME_PITCHES_HZ.forEach((pitch, i) => {
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    const start = audio.currentTime + i * SECONDS_BETWEEN_TONES;
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.25, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + 0.35);
    tone.connect(volume).connect(audio.destination);
    tone.start(start);
    tone.stop(start + 0.4);
  });
}

document.addEventListener('click', (event) => {
  if ((event.target as Element).closest('[data-print]')) print();
});
for (const button of document.querySelectorAll<HTMLElement>('[data-print]')) button.hidden = false;
