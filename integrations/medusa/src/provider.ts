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
import { DEFAULT_INSTALLMENTS, faultOf, type SemanaOptions } from './options';

type Offer = components['schemas']['MerchantOffer'];
type Data = Record<string, unknown> | undefined;

const STATUSES: Record<Offer['status'], PaymentSessionStatus> = {
  pending: 'requires_more',
  accepted: 'captured',
  declined: 'canceled',
  expired: 'canceled',
  cancelled: 'canceled',
};
/** Ids of payment sessions. Other references are offers that were not made here. */
const SESSION = /^payses_/;
const REASON = 'Reembolso pela loja';

/**
 * A payment session is an open offer, and its id the reference of the offer. The session's `data` has the `link` that the customer
 * accepts it at. Accepted is captured: the merchant is paid by payout. What became of an offer is always asked of the service.
 */
export class SemanaPaymentProvider extends AbstractPaymentProvider<SemanaOptions> {
  static override identifier = 'semana';
  readonly #api: Client;
  readonly #options: SemanaOptions;
  readonly #logger: Logger;

  static override validateOptions(options: Partial<SemanaOptions>): void {
    const fault = faultOf(options);
    if (fault) throw new MedusaError(MedusaError.Types.INVALID_DATA, `Semana: ${fault}`);
  }

  constructor(cradle: Record<string, unknown>, options: SemanaOptions) {
    super(cradle, options);
    this.#logger = cradle.logger as Logger;
    this.#options = options;
    this.#api = createClient({ url: options.apiUrl, key: options.apiKey });
  }

  async initiatePayment(input: InitiatePaymentInput): Promise<InitiatePaymentOutput> {
    const sessionId = textOf(input.data, 'session_id');
    const offer = await this.#makeOffer(sessionId, sessionId, input);
    return { id: offer.id, status: STATUSES[offer.status], data: dataOf(offer, sessionId) };
  }

  /** An offer never changes: another amount is another offer, and the one before is taken back first. */
  async updatePayment(input: UpdatePaymentInput): Promise<UpdatePaymentOutput> {
    const sessionId = textOf(input.data, 'session_id');
    const before = await this.#read(input.data);
    if (before.status === 'pending' && before.quote.amount === reaisOf(input))
      return { status: STATUSES[before.status], data: dataOf(before, sessionId) };
    await this.#takeBack(before);
    const offer = await this.#makeOffer(sessionId, `${sessionId}:${before.id}`, input);
    return { status: STATUSES[offer.status], data: dataOf(offer, sessionId) };
  }

  async deletePayment(input: DeletePaymentInput): Promise<DeletePaymentOutput> {
    return this.cancelPayment(input);
  }

  /** Refuses what is paid: Medusa refunds that. */
  async cancelPayment({ data }: CancelPaymentInput): Promise<CancelPaymentOutput> {
    // A session that never got its offer. If one was made, it expires within the hour.
    if (!data?.offer_id) return { data: data ?? {} };
    await this.#takeBack(await this.#read(data));
    return { data };
  }

  async authorizePayment(input: AuthorizePaymentInput): Promise<AuthorizePaymentOutput> {
    return this.getPaymentStatus(input) as Promise<AuthorizePaymentOutput>;
  }

  async getPaymentStatus({ data }: GetPaymentStatusInput): Promise<GetPaymentStatusOutput> {
    const offer = await this.#read(data);
    return { status: STATUSES[offer.status], data: { ...data, checkout_hash: offer.checkout_hash } };
  }

  async retrievePayment({ data }: RetrievePaymentInput): Promise<RetrievePaymentOutput> {
    return { data: { ...data, checkout_hash: (await this.#read(data)).checkout_hash } };
  }

  /** There is nothing to do: accepted is captured. */
  async capturePayment({ data }: CapturePaymentInput): Promise<CapturePaymentOutput> {
    const offer = await this.#read(data);
    if (offer.status !== 'accepted') throw notAllowed(`The offer is ${offer.status}.`);
    return { data: { ...data, checkout_hash: offer.checkout_hash } };
  }

  /**
   * The key counts the refunds that Medusa has recorded. When the answer to one is lost, Medusa forgets it and makes another
   * for the next try: that has the same key, so nothing is returned twice.
   */
  async refundPayment({ data, amount }: RefundPaymentInput): Promise<RefundPaymentOutput> {
    const offer = await this.#read(data);
    if (!offer.checkout_hash) throw notAllowed(`The offer is ${offer.status}.`);
    const refunds = Number(data?.refunds ?? 0);
    const made = await this.#api.returnSale({
      path: { hash: offer.checkout_hash },
      body: { amount: reaisOf({ amount, currency_code: 'brl' }), reason: REASON },
      idempotencyKey: `${offer.id}:refund:${refunds + 1}`,
    });
    if ('return' in made) this.#logger.warn(`Semana: the return of ${offer.id} waits for the operator.`);
    return { data: { ...data, checkout_hash: offer.checkout_hash, refunds: refunds + 1 } };
  }

  /** A webhook only makes us ask. Medusa has answered it already, so what is not valid is logged and left. */
  async getWebhookActionAndData(payload: ProviderWebhookPayload['payload']): Promise<WebhookActionResult> {
    const ignored = { action: 'not_supported' } as const;
    let event: PartnerEvent;
    try {
      const headers = payload.headers as Record<string, string>;
      event = verifyWebhook({ secrets: this.#options.webhookSecret, headers, body: payload.rawData });
    } catch (error) {
      this.#logger.warn(`Semana: a webhook was refused. ${(error as Error).message}`);
      return ignored;
    }
    if (event.type !== 'offer.accepted') return ignored;
    const offer = await this.#api.getOffer({ path: { id: event.data.offer_id } });
    if (offer.status !== 'accepted' || !SESSION.test(offer.reference ?? '')) return ignored;
    return {
      action: 'captured',
      data: { session_id: offer.reference!, amount: new BigNumber(offer.quote.amount) },
    };
  }

  #makeOffer(sessionId: string, idempotencyKey: string, input: InitiatePaymentInput): Promise<Offer> {
    const amount = reaisOf(input);
    const items = itemsOf(input.data?.items, amount);
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

  /** Of this session, and no other: what is in `data` may have come through a browser. */
  async #read(data: Data): Promise<Offer> {
    const offer = await this.#api.getOffer({ path: { id: textOf(data, 'offer_id') } });
    if (offer.reference !== textOf(data, 'session_id'))
      throw notAllowed('The offer is of another payment session.');
    return offer;
  }

  async #takeBack(offer: Offer): Promise<void> {
    if (STATUSES[offer.status] === 'canceled') return;
    try {
      await this.#api.cancelOffer({ path: { id: offer.id } });
    } catch (error) {
      if (!isProblem(error, 'offer_closed') && !isProblem(error, 'offer_expired')) throw error;
      const { status } = await this.#api.getOffer({ path: { id: offer.id } });
      if (status === 'accepted') throw notAllowed('The customer has paid: refund it instead.');
    }
  }
}

const notAllowed = (text: string) => new MedusaError(MedusaError.Types.NOT_ALLOWED, `Semana: ${text}`);

const dataOf = (offer: Offer, sessionId: string) => ({
  session_id: sessionId,
  offer_id: offer.id,
  link: offer.link,
  expires_at: offer.expires_at,
});

function textOf(data: Data, name: string): string {
  const value = data?.[name];
  if (typeof value !== 'string') throw notAllowed(`The payment session has no ${name}.`);
  return value;
}

function reaisOf({ amount, currency_code }: { amount: BigNumberInput; currency_code: string }): number {
  if (currency_code.toLowerCase() !== 'brl')
    throw new MedusaError(MedusaError.Types.INVALID_DATA, 'Semana: only amounts in BRL can be paid.');
  return Math.round(new BigNumber(amount).numeric * 100) / 100;
}

/** As the storefront lists them; left out unless they add up, because they are for the customer to read only. */
function itemsOf(given: unknown, amount: number) {
  if (!Array.isArray(given)) return undefined;
  const items = given.map((one) => ({
    name: String(one?.name ?? '').slice(0, 120),
    quantity: Number(one?.quantity),
    amount: Number(one?.amount),
  }));
  const isWhole = items.every(
    ({ name, quantity }) => name.trim() !== '' && Number.isInteger(quantity) && quantity > 0,
  );
  const centavos = items.reduce((sum, item) => sum + Math.round(item.amount * 100), 0);
  return isWhole && items.length <= 100 && centavos === Math.round(amount * 100) ? items : undefined;
}
