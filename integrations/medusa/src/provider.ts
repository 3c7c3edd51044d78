import type {
  AuthorizePaymentInput,
  AuthorizePaymentOutput,
  BigNumberInput,
  CancelPaymentInput,
  CancelPaymentOutput,
  CapturePaymentInput,
  CapturePaymentOutput,
  DeletePaymentInput,
  DeletePaymentOutput,
  GetPaymentStatusInput,
  GetPaymentStatusOutput,
  InitiatePaymentInput,
  InitiatePaymentOutput,
  Logger,
  PaymentSessionStatus,
  ProviderWebhookPayload,
  RefundPaymentInput,
  RefundPaymentOutput,
  RetrievePaymentInput,
  RetrievePaymentOutput,
  UpdatePaymentInput,
  UpdatePaymentOutput,
  WebhookActionResult,
} from '@medusajs/framework/types';
import { AbstractPaymentProvider, BigNumber, MedusaError } from '@medusajs/framework/utils';
import {
  type Client,
  type components,
  createClient,
  isProblem,
  type PartnerEvent,
  verifyWebhook,
} from '@semana/client';
import { DEFAULT_INSTALLMENTS, findOptionError, type SemanaOptions } from './options';

type Offer = components['schemas']['MerchantOffer'];
type SessionData = Record<string, unknown> | undefined;

/** The status of a payment session, by the status of its offer. */
const SESSION_STATUSES: Record<Offer['status'], PaymentSessionStatus> = {
  pending: 'requires_more',
  accepted: 'captured',
  declined: 'canceled',
  expired: 'canceled',
  cancelled: 'canceled',
};
/** Matches the ids of payment sessions. This provider did not create an offer whose reference is anything else. */
const SESSION_ID = /^payses_/;
const RETURN_REASON = 'Reembolso pela loja';
/** Limits of the items of an offer. */
const MAX_ITEMS = 100;
const MAX_ITEM_NAME_LENGTH = 120;
const IGNORED_WEBHOOK = { action: 'not_supported' } as const;

/**
 * A payment session is an open offer, and the id of the session is the reference of the offer. The `data` of the session has the `link`
 * that the customer opens to accept the offer. An accepted offer is captured: the merchant is paid by payout. The state of an offer is
 * always read from the service.
 */
export class SemanaPaymentProvider extends AbstractPaymentProvider<SemanaOptions> {
  static override identifier = 'semana';
  readonly #api: Client;
  readonly #options: SemanaOptions;
  readonly #logger: Logger;

  static override validateOptions(options: Partial<SemanaOptions>): void {
    const error = findOptionError(options);
    if (error) throw new MedusaError(MedusaError.Types.INVALID_DATA, `Semana: ${error}`);
  }

  constructor(cradle: Record<string, unknown>, options: SemanaOptions) {
    super(cradle, options);
    this.#logger = cradle.logger as Logger;
    this.#options = options;
    this.#api = createClient({ url: options.apiUrl, key: options.apiKey });
  }

  async initiatePayment(input: InitiatePaymentInput): Promise<InitiatePaymentOutput> {
    const sessionId = requireText(input.data, 'session_id');
    const offer = await this.#createOffer(input, { sessionId, idempotencyKey: sessionId });
    return { id: offer.id, status: SESSION_STATUSES[offer.status], data: buildSessionData(offer, sessionId) };
  }

  /** If the amount has changed, cancels the offer and creates a new one, because an offer never changes. */
  async updatePayment(input: UpdatePaymentInput): Promise<UpdatePaymentOutput> {
    const sessionId = requireText(input.data, 'session_id');
    const previousOffer = await this.#getOffer(input.data);
    if (previousOffer.status === 'pending' && previousOffer.quote.amount === parseReais(input))
      return {
        status: SESSION_STATUSES[previousOffer.status],
        data: buildSessionData(previousOffer, sessionId),
      };
    await this.#cancelOffer(previousOffer);
    const idempotencyKey = `${sessionId}:${previousOffer.id}`;
    const offer = await this.#createOffer(input, { sessionId, idempotencyKey });
    return { status: SESSION_STATUSES[offer.status], data: buildSessionData(offer, sessionId) };
  }

  async deletePayment(input: DeletePaymentInput): Promise<DeletePaymentOutput> {
    return this.cancelPayment(input);
  }

  /** Refuses to cancel a paid offer: Medusa refunds it instead. */
  async cancelPayment({ data }: CancelPaymentInput): Promise<CancelPaymentOutput> {
    // Without an id there is no offer, or it was created but not recorded in the session. Such an offer expires within an hour.
    if (!data?.offer_id) return { data: data ?? {} };
    await this.#cancelOffer(await this.#getOffer(data));
    return { data };
  }

  async authorizePayment(input: AuthorizePaymentInput): Promise<AuthorizePaymentOutput> {
    return this.getPaymentStatus(input) as Promise<AuthorizePaymentOutput>;
  }

  async getPaymentStatus({ data }: GetPaymentStatusInput): Promise<GetPaymentStatusOutput> {
    const offer = await this.#getOffer(data);
    return { status: SESSION_STATUSES[offer.status], data: { ...data, checkout_hash: offer.checkout_hash } };
  }

  async retrievePayment({ data }: RetrievePaymentInput): Promise<RetrievePaymentOutput> {
    return { data: { ...data, checkout_hash: (await this.#getOffer(data)).checkout_hash } };
  }

  /** Checks that the offer is accepted. Changes nothing, because an accepted offer is captured. */
  async capturePayment({ data }: CapturePaymentInput): Promise<CapturePaymentOutput> {
    const offer = await this.#getOffer(data);
    if (offer.status !== 'accepted') throw createNotAllowedError(`The offer is ${offer.status}.`);
    return { data: { ...data, checkout_hash: offer.checkout_hash } };
  }

  /**
   * Refunds an amount by a return of the sale. The idempotency key contains the number of refunds that Medusa has recorded. If the response
   * to a refund is lost, the next attempt has the same key, so nothing is returned twice.
   */
  async refundPayment({ data, amount }: RefundPaymentInput): Promise<RefundPaymentOutput> {
    const offer = await this.#getOffer(data);
    if (!offer.checkout_hash) throw createNotAllowedError(`The offer is ${offer.status}.`);
    const refundCount = Number(data?.refunds ?? 0);
    const saleOrReturn = await this.#api.returnSale({
      path: { hash: offer.checkout_hash },
      body: { amount: parseReais({ amount, currency_code: 'brl' }), reason: RETURN_REASON },
      idempotencyKey: `${offer.id}:refund:${refundCount + 1}`,
    });
    // The response is a return, instead of the sale, if the operator must approve it.
    if ('return' in saleOrReturn)
      this.#logger.warn(`Semana: the return of ${offer.id} waits for approval by the operator.`);
    return { data: { ...data, checkout_hash: offer.checkout_hash, refunds: refundCount + 1 } };
  }

  /** Reads the offer that a webhook names, and captures the payment. Medusa has already responded, so an invalid webhook is only logged. */
  async getWebhookActionAndData(payload: ProviderWebhookPayload['payload']): Promise<WebhookActionResult> {
    let event: PartnerEvent;
    try {
      const headers = payload.headers as Record<string, string>;
      event = verifyWebhook({ secrets: this.#options.webhookSecret, headers, body: payload.rawData });
    } catch (error) {
      this.#logger.warn(`Semana: a webhook was refused. ${(error as Error).message}`);
      return IGNORED_WEBHOOK;
    }
    if (event.type !== 'offer.accepted') return IGNORED_WEBHOOK;
    const offer = await this.#api.getOffer({ path: { id: event.data.offer_id } });
    if (offer.status !== 'accepted' || !SESSION_ID.test(offer.reference ?? '')) return IGNORED_WEBHOOK;
    return {
      action: 'captured',
      data: { session_id: offer.reference!, amount: new BigNumber(offer.quote.amount) },
    };
  }

  #createOffer(
    input: InitiatePaymentInput,
    { sessionId, idempotencyKey }: { sessionId: string; idempotencyKey: string },
  ): Promise<Offer> {
    const amount = parseReais(input);
    const items = parseItems(input.data?.items, amount);
    return this.#api.createOffer({
      idempotencyKey,
      body: {
        amount,
        installments: this.#options.installments ?? DEFAULT_INSTALLMENTS,
        reference: sessionId,
        return_url: this.#options.returnUrl,
        ...(items && { items }),
      },
    });
  }

  /** Gets the offer of a session. Throws if it belongs to another session, because `data` may come from a browser. */
  async #getOffer(data: SessionData): Promise<Offer> {
    const offer = await this.#api.getOffer({ path: { id: requireText(data, 'offer_id') } });
    if (offer.reference !== requireText(data, 'session_id'))
      throw createNotAllowedError('The offer belongs to another payment session.');
    return offer;
  }

  /** Cancels an offer that is not canceled yet. Throws if the customer has accepted it. */
  async #cancelOffer(offer: Offer): Promise<void> {
    if (SESSION_STATUSES[offer.status] === 'canceled') return;
    try {
      await this.#api.cancelOffer({ path: { id: offer.id } });
    } catch (error) {
      if (!isProblem(error, 'offer_closed') && !isProblem(error, 'offer_expired')) throw error;
      const { status } = await this.#api.getOffer({ path: { id: offer.id } });
      if (status === 'accepted') throw createNotAllowedError('The customer has paid: refund it instead.');
    }
  }
}

const createNotAllowedError = (text: string) =>
  new MedusaError(MedusaError.Types.NOT_ALLOWED, `Semana: ${text}`);

const buildSessionData = (offer: Offer, sessionId: string) => ({
  session_id: sessionId,
  offer_id: offer.id,
  link: offer.link,
  expires_at: offer.expires_at,
});

/** Returns a text of the data of a session. Throws if it is missing. */
function requireText(data: SessionData, name: string): string {
  const value = data?.[name];
  if (typeof value !== 'string') throw createNotAllowedError(`The payment session has no ${name}.`);
  return value;
}

/** Parses an amount in reais. Throws if its currency is not BRL. */
function parseReais({ amount, currency_code }: { amount: BigNumberInput; currency_code: string }): number {
  if (currency_code.toLowerCase() !== 'brl')
    throw new MedusaError(MedusaError.Types.INVALID_DATA, 'Semana: only amounts in BRL can be paid.');
  return Math.round(new BigNumber(amount).numeric * 100) / 100;
}

/** Parses the items of the storefront, which are only displayed to the customer. Returns undefined if they are invalid or do not add up. */
function parseItems(storefrontItems: unknown, amount: number) {
  if (!Array.isArray(storefrontItems)) return undefined;
  const items = storefrontItems.map((item) => ({
    name: String(item?.name ?? '').slice(0, MAX_ITEM_NAME_LENGTH),
    quantity: Number(item?.quantity),
    amount: Number(item?.amount),
  }));
  const areItemsValid = items.every(
    ({ name, quantity }) => name.trim() !== '' && Number.isInteger(quantity) && quantity > 0,
  );
  const centavos = items.reduce((sum, item) => sum + Math.round(item.amount * 100), 0);
  return areItemsValid && items.length <= MAX_ITEMS && centavos === Math.round(amount * 100)
    ? items
    : undefined;
}
