// Pages may have prompts to subscribe to Web Push. The attribute data-push marks a prompt and holds the public key of the server (VAPID).
// The browser asks for the permission only after a click, never when a page loads.
const canPush = 'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis;

/** Shows the prompts of the page, unless this browser is subscribed or the visitor denied the permission. */
async function updatePushPrompts(): Promise<void> {
  const prompts = document.querySelectorAll<HTMLElement>('[data-push]');
  if (prompts.length === 0 || !canPush || Notification.permission === 'denied') return;
  const registration = await navigator.serviceWorker.getRegistration();
  const isSubscribed = (await registration?.pushManager.getSubscription()) != null;
  for (const prompt of prompts) prompt.hidden = isSubscribed;
}

async function subscribe(form: HTMLFormElement, vapidKey: string): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted') {
    form.closest<HTMLElement>('[data-push]')!.hidden = true;
    return;
  }
  const { pushManager } = await navigator.serviceWorker.ready;
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: vapidKey });
  (form.elements.namedItem('aparelho') as HTMLInputElement).value = JSON.stringify(subscription);
  form.submit();
}

document.addEventListener(
  'submit',
  (event) => {
    const form = event.target as HTMLFormElement;
    const vapidKey = form.closest<HTMLElement>('[data-push]')?.dataset.push;
    if (!vapidKey) return;
    event.preventDefault();
    event.stopPropagation();
    void subscribe(form, vapidKey).catch(() => {
      const errorMessage = form.querySelector<HTMLElement>('[data-failed]');
      if (errorMessage) errorMessage.hidden = false;
    });
  },
  { capture: true }, // before the submit listener of forms.ts
);

// After the sign-out this device receives no more notifications.
if (document.querySelector('[data-signed-out]') && canPush)
  void navigator.serviceWorker
    .getRegistration()
    .then((registration) => registration?.pushManager.getSubscription())
    .then((subscription) => subscription?.unsubscribe())
    .catch(() => undefined);

// personal-pages.ts dispatches `statechanged` before it inserts the new content, so the update is deferred.
const liveElement = document.querySelector('[data-stream]');
liveElement?.addEventListener('statechanged', () => setTimeout(() => void updatePushPrompts()));
void updatePushPrompts();
