import type { Bank } from '../bank.ts';
import { renderWebhook } from '../render.ts';
import { deleteWebhook, findWebhook, listWebhooks, putWebhook } from '../store/webhooks.ts';
import { isLine, isPixKey } from './names.ts';
import { PspProblem, Violations } from './problem.ts';
import type { Call, PspResponse, Route } from './route.ts';
import { object } from './terms.ts';
import { parameters, readWindow, slice } from './window.ts';

/** The webhook of each Pix key, called when a payment arrives. */
export function webhookRoutes(bank: Bank): Route[] {
  const one = '/v2/webhook/:chave';
  return [
    { method: 'PUT', url: one, scope: 'webhook.write', handle: (call) => put(bank, call) },
    { method: 'GET', url: one, scope: 'webhook.read', handle: (call) => get(bank, call) },
    { method: 'DELETE', url: one, scope: 'webhook.write', handle: (call) => remove(bank, call) },
    { method: 'GET', url: '/v2/webhook', scope: 'webhook.read', handle: (call) => list(bank, call) },
  ];
}

async function put(bank: Bank, { params, body, now }: Call): Promise<PspResponse> {
  const key = params.chave!;
  const url = object(body)?.webhookUrl;
  const wrong = new Violations('webhook');
  if (!isPixKey(key))
    wrong.add('chave', () => 'O parâmetro {chave} não corresponde a uma chave DICT válida.');
  else if (!bank.ownsKey(key))
    wrong.add('chave', () => 'O parâmetro {chave} não pertence a este usuário recebedor.');
  if (!isCallable(url)) wrong.schema('webhookUrl', url);
  wrong.throwIfAny('WebhookOperacaoInvalida');
  await putWebhook(bank.db, key, url as string, now);
  return { status: 200 };
}

/** https, as banks require; plain http only for this machine. */
export function isCallable(url: unknown): boolean {
  if (!isLine(url, 1, 2000) || !URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  const isLocal = hostname === 'localhost' || hostname === '[::1]' || /^127\./.test(hostname);
  return protocol === 'https:' || (protocol === 'http:' && isLocal);
}

async function get(bank: Bank, { params }: Call): Promise<PspResponse> {
  const key = params.chave!;
  const webhook = isPixKey(key) ? await findWebhook(bank.db, key) : undefined;
  if (!webhook) throw new PspProblem('WebhookNaoEncontrado');
  return { status: 200, body: renderWebhook(webhook) };
}

async function remove(bank: Bank, { params }: Call): Promise<PspResponse> {
  const key = params.chave!;
  if (!isPixKey(key) || !(await deleteWebhook(bank.db, key))) throw new PspProblem('WebhookNaoEncontrado');
  return { status: 204 };
}

/** The only list whose period is optional. */
async function list(bank: Bank, { query }: Call): Promise<PspResponse> {
  const everything = { inicio: '0001-01-01T00:00:00Z', fim: '9999-12-31T23:59:59Z' };
  const window = readWindow({ ...everything, ...query }, 'WebhookConsultaInvalida');
  const all = await listWebhooks(bank.db, window.from, window.to);
  const { offset, limit } = slice(window);
  const webhooks = all.slice(offset, offset + limit).map(renderWebhook);
  return { status: 200, body: { parametros: parameters(query, window, all.length), webhooks } };
}
