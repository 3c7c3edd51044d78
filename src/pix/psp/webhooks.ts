import type { PspHttp } from './http-client.ts';
import { createResource } from './resource.ts';
import { parseWebhook, type Webhook } from './translate.ts';

type FoundWebhook = { kind: 'found'; webhook: Webhook } | { kind: 'not_found' };

/** Before it responds, a PSP may call the URL, with and without its certificate. Efí does so for up to a minute. */
const PUT_TIMEOUT_MS = 60_000;

/** The PSP appends `/pix`, `/rec` or `/cobr` to the URL, for the payments of a key, for authorisations, and for debits. */
export function createWebhookCalls(http: PspHttp) {
  const keyHook = (key: string) => ({ route: '/webhook/:key', params: { key }, secrets: [key] });
  const autopayHooks = ['/webhookrec', '/webhookcobr'].map((route) => ({ route, params: {}, secrets: [] }));
  type Hook = ReturnType<typeof keyHook> | (typeof autopayHooks)[number];

  /** Registers the callback URL. Idempotent. */
  const put = async (hook: Hook, url: string): Promise<void> => {
    const result = await http.sendWithRetries(
      {
        method: 'PUT',
        ...hook,
        body: { webhookUrl: url },
        secrets: [url, ...hook.secrets],
        timeoutMs: PUT_TIMEOUT_MS,
      },
      http.deadline() + PUT_TIMEOUT_MS,
    );
    if (result.kind === 'refused') throw result.refusal;
    if (result.kind === 'unavailable') throw result.failure;
  };
  const find = async (hook: Hook): Promise<FoundWebhook> => {
    const webhook = await createResource(http, hook, parseWebhook).get();
    return webhook ? { kind: 'found', webhook } : { kind: 'not_found' };
  };
  return {
    putWebhook: (key: string, url: string) => put(keyHook(key), url),
    getWebhook: (key: string) => find(keyHook(key)),
    /** Registers the callback URL for authorisations and debits, which belong to no key. */
    async putAutopayWebhooks(url: string): Promise<void> {
      for (const hook of autopayHooks) await put(hook, url);
    },
    getAutopayWebhooks: () => Promise.all(autopayHooks.map(find)),
  };
}
