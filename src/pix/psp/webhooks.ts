import type { PspHttp } from './http-client.ts';
import { resourceAt } from './resource.ts';
import { readWebhook, type Webhook } from './translate.ts';

type FoundWebhook = { kind: 'found'; webhook: Webhook } | { kind: 'not_found' };

/** Before it answers, a PSP may call the address itself, with and without its certificate (Efí does, for up to a minute). */
const PUT_TIMEOUT_MS = 60_000;

/** The PSP appends `/pix`, `/rec` or `/cobr` to the address: it reports payments for a key, authorisations, and debits. */
export function webhookCalls(http: PspHttp) {
  const ofKey = (key: string) => ({ route: '/webhook/:key', params: { key }, secrets: [key] });
  const ofAutopay = ['/webhookrec', '/webhookcobr'].map((route) => ({ route, params: {}, secrets: [] }));
  type Hook = ReturnType<typeof ofKey> | (typeof ofAutopay)[number];

  /** Registers the address at which the PSP reports. Idempotent. */
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
    const webhook = await resourceAt(http, hook, readWebhook).get();
    return webhook ? { kind: 'found', webhook } : { kind: 'not_found' };
  };
  return {
    putWebhook: (key: string, url: string) => put(ofKey(key), url),
    getWebhook: (key: string) => find(ofKey(key)),
    /** The same for authorisations and debits, which belong to no key. */
    async putAutopayWebhooks(url: string): Promise<void> {
      for (const hook of ofAutopay) await put(hook, url);
    },
    getAutopayWebhooks: () => Promise.all(ofAutopay.map(find)),
  };
}
