// Web Push is offered where a page has room for it, and asked for only on a click: never on arrival.
const canPush = 'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis;

/** Shows the offer, unless the answer is known. */
async function offer(): Promise<void> {
  const places = document.querySelectorAll<HTMLElement>('[data-push]');
  if (places.length === 0 || !canPush || Notification.permission === 'denied') return;
  const registration = await navigator.serviceWorker.getRegistration();
  const isOn = (await registration?.pushManager.getSubscription()) != null;
  for (const place of places) place.hidden = isOn;
}

async function subscribe(form: HTMLFormElement, key: string): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted') {
    form.closest<HTMLElement>('[data-push]')!.hidden = true;
    return;
  }
  const { pushManager } = await navigator.serviceWorker.ready;
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  (form.elements.namedItem('aparelho') as HTMLInputElement).value = JSON.stringify(subscription);
  form.submit();
}

document.addEventListener(
  'submit',
  (event) => {
    const form = event.target as HTMLFormElement;
    const key = form.closest<HTMLElement>('[data-push]')?.dataset.push;
    if (!key) return;
    event.preventDefault();
    event.stopPropagation();
    void subscribe(form, key).catch(() => {
      const said = form.querySelector<HTMLElement>('[data-failed]');
      if (said) said.hidden = false;
    });
  },
  true,
);

// Whoever signs out on this device is told here no more.
if (document.querySelector('[data-left]') && canPush)
  void navigator.serviceWorker
    .getRegistration()
    .then((registration) => registration?.pushManager.getSubscription())
    .then((subscription) => subscription?.unsubscribe())
    .catch(() => undefined);

document.querySelector('[data-stream]')?.addEventListener('changed', () => setTimeout(() => void offer()));
void offer();
