// Pages may offer Web Push. The browser's permission prompt opens only after a click, never when a page loads.
const canPush = 'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis;

/** Shows the offer, unless this browser is subscribed or the visitor denied the permission. */
async function showOffer(): Promise<void> {
  const offers = document.querySelectorAll<HTMLElement>('[data-push]');
  if (offers.length === 0 || !canPush || Notification.permission === 'denied') return;
  const registration = await navigator.serviceWorker.getRegistration();
  const isSubscribed = (await registration?.pushManager.getSubscription()) != null;
  for (const offer of offers) offer.hidden = isSubscribed;
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
      const errorMessage = form.querySelector<HTMLElement>('[data-failed]');
      if (errorMessage) errorMessage.hidden = false;
    });
  },
  true,
);

// After the sign-out this device receives no more notifications.
if (document.querySelector('[data-signed-out]') && canPush)
  void navigator.serviceWorker
    .getRegistration()
    .then((registration) => registration?.pushManager.getSubscription())
    .then((subscription) => subscription?.unsubscribe())
    .catch(() => undefined);

document
  .querySelector('[data-stream]')
  ?.addEventListener('changed', () => setTimeout(() => void showOffer()));
void showOffer();
