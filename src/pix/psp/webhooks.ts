import { getResource } from './get-resource.ts';
import type { PspHttp, PspRequest } from './http-client.ts';
import { readWebhook, type Webhook } from './translate.ts';

export type FoundWebhook = { kind: 'found'; webhook: Webhook } | { kind: 'not_found' };

const ROUTE = '/webhook/:key';
/** Before it answers, a PSP may call the address itself, with and without its certificate (Efí does, for up to a minute). */
const PUT_TIMEOUT_MS = 60_000;

/** Registers the address at which the PSP reports payments for a key. It appends `/pix` to the address. Idempotent. */
export async function putWebhook(http: PspHttp, key: string, url: string): Promise<void> {
  const request: PspRequest = {
    method: 'PUT',
    route: ROUTE,
    params: { key },
    body: { webhookUrl: url },
    secrets: [url, key],
    timeoutMs: PUT_TIMEOUT_MS,
  };
  const result = await http.sendWithRetries(request, http.deadline() + PUT_TIMEOUT_MS);
  if (result.kind === 'refused') throw result.refusal;
  if (result.kind === 'unavailable') throw result.failure;
}

export async function findWebhook(http: PspHttp, key: string): Promise<FoundWebhook> {
  const request: PspRequest = { method: 'GET', route: ROUTE, params: { key }, secrets: [key] };
  const webhook = await getResource(http, { request, read: readWebhook, deadlineMs: http.deadline() });
  return webhook ? { kind: 'found', webhook } : { kind: 'not_found' };
}
