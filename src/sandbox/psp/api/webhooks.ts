import {
  DEBIT_WEBHOOK_KEY,
  deleteWebhook,
  findWebhook,
  putWebhook,
  REC_WEBHOOK_KEY,
} from '../store/deliveries.ts';
import { isLineOfLength, isPixKey } from './list-query.ts';
import {
  asObject,
  type BankRequest,
  findOrThrow,
  PspProblem,
  type PspResponse,
  type Routes,
  Violations,
} from './protocol.ts';

/** If the path contains no Pix key, its only webhook is stored under `reservedKey`. */
const createWebhookRoutes = (path: `/v2/${string}`, reservedKey?: string): Routes => {
  const getKey = ({ chave }: BankRequest['params']) => reservedKey ?? chave!;
  const isKey = (key: string) => key === reservedKey || isPixKey(key);
  return {
    async [`PUT ${path}`]({ bank, params, body, now }: BankRequest): Promise<PspResponse> {
      const { chave } = params;
      const webhookUrl = asObject(body)?.webhookUrl;
      const violations = new Violations('WebhookOperacaoInvalida');
      if (chave !== undefined && !isPixKey(chave))
        violations.add('chave', 'O parâmetro {chave} não corresponde a uma chave DICT válida.');
      else if (chave !== undefined && !bank.ownsKey(chave))
        violations.add('chave', 'O parâmetro {chave} não pertence a este usuário recebedor.');
      if (!isValidWebhookUrl(webhookUrl)) violations.addInvalidField('webhookUrl', webhookUrl);
      violations.throwIfAny();
      await putWebhook(bank.db, getKey(params), webhookUrl as string, now);
      return { status: 200 };
    },

    async [`GET ${path}`]({ bank, params }: BankRequest): Promise<PspResponse> {
      const find = (key: string) => findWebhook(bank.db, key);
      const webhook = await findOrThrow(getKey(params), isKey, find, 'WebhookNaoEncontrado');
      const { url, created_at } = webhook;
      // `params` contains the Pix key, if the path has one.
      return { status: 200, body: { webhookUrl: url, ...params, criacao: created_at.toISOString() } };
    },

    async [`DELETE ${path}`]({ bank, params }: BankRequest): Promise<PspResponse> {
      const key = getKey(params);
      if (!isKey(key) || !(await deleteWebhook(bank.db, key))) throw new PspProblem('WebhookNaoEncontrado');
      return { status: 204 };
    },
  };
};

/** The webhooks for payments to a Pix key, for authorisations and for debits. */
export const webhookRoutes: Routes = {
  ...createWebhookRoutes('/v2/webhook/:chave'),
  ...createWebhookRoutes('/v2/webhookrec', REC_WEBHOOK_KEY),
  ...createWebhookRoutes('/v2/webhookcobr', DEBIT_WEBHOOK_KEY),
};

/** Accepts https, as banks require, and plain http only for this machine. */
function isValidWebhookUrl(url: unknown): boolean {
  if (!isLineOfLength(url, 1, 2000) || !URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  const isLocal = hostname === 'localhost' || hostname === '[::1]' || /^127\./.test(hostname);
  return protocol === 'https:' || (protocol === 'http:' && isLocal);
}
