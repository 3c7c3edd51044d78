import assert from 'node:assert/strict';
import { sql } from '#platform/database/db.ts';
import {
  type Body,
  type CallOptions,
  enqueueTask,
  eventually,
  type Node,
  type SharedService,
} from './harness.ts';
import type { TestCustomer } from './purchase-driver.ts';
import { openSessionFor } from './support/customers.ts';

/** Options of a request, and the node that it is sent to. */
type NodeOptions = CallOptions & { node?: Node };

/** The API key of the bakery 'padaria-flor-do-trigo'. */
export const MERCHANT_KEY = 'sandbox-merchant-key';
export const OTHER_MERCHANT = 'otica-lume';

/** Creates offers as the bakery, and claims, accepts and declines them as customers. `otherKey` is the key of OTHER_MERCHANT. */
export async function createOfferDriver(service: SharedService) {
  const findMerchantId = async (slug: string) =>
    (await service.db.row<{ id: number }>(sql`select id from merchants where slug = ${slug}`))!.id;

  const offerDriver = {
    findMerchantId,

    /** Creates a key of a merchant, by default of the demo partner. */
    async createMerchantKey(slug: string, overrides: { partner_id?: string } = {}): Promise<string> {
      const keyInput = {
        scopes: ['merchant' as const],
        merchant_id: await findMerchantId(slug),
        ...overrides,
      };
      const { secret } = await service.newKey(keyInput);
      return secret;
    },

    /** Requests an offer of the bakery to a phone; by default R$ 100.00 in three installments. */
    requestOffer: (phone: string | undefined, overrides: object = {}, options: object = {}) =>
      service.post(
        '/merchant/offers',
        { phone, amount: 100, installments: 3, ...overrides },
        { key: MERCHANT_KEY, ...options },
      ),

    /** Requests an offer, and asserts that it was created. */
    async createOffer(
      phone: string | undefined,
      overrides: object = {},
      options: object = {},
    ): Promise<Body> {
      const response = await offerDriver.requestOffer(phone, overrides, options);
      assert.equal(response.status, 201, response.text);
      return response.body;
    },

    /** Requests an offer without a phone, which any customer can claim. */
    requestOpenOffer: (overrides: object = {}, options: object = {}) =>
      offerDriver.requestOffer(undefined, overrides, options),

    createOpenOffer: (overrides: object = {}, options: object = {}): Promise<Body> =>
      offerDriver.createOffer(undefined, overrides, options),

    claim: (
      claimKey: { token?: string; code?: string },
      token: string,
      { node = service, ...options }: NodeOptions = {},
    ) => node.post('/wallet/offers/claim', claimKey, { token, ...options }),

    /** Returns an offer as the bakery sees it. */
    async getOffer(id: string): Promise<Body> {
      const response = await service.get(`/merchant/offers/${id}`, { key: MERCHANT_KEY });
      assert.equal(response.status, 200, response.text);
      return response.body;
    },

    createToken: async (customer: TestCustomer) => (await openSessionFor(service, customer)).token,

    accept: (
      id: string,
      token: string,
      body: object = {},
      { node = service, ...options }: NodeOptions = {},
    ) => node.post(`/wallet/offers/${id}/accept`, body, { token, ...options }),

    decline: (id: string, token: string, node: Node = service) =>
      node.post(`/wallet/offers/${id}/decline`, undefined, { token }),

    cancel: (id: string, key = MERCHANT_KEY, node: Node = service) =>
      node.post(`/merchant/offers/${id}/cancel`, undefined, { key }),

    /** Lists the types of an offer's events. */
    async listEventTypes(offerId: string): Promise<string[]> {
      const rows = await service.db.rows<{ type: string }>(sql`
        select type from (select type, data from events union all select type, data from global_events) as event
        where type like 'offer.%' and data ->> 'offer_id' = ${offerId} order by type`);
      return rows.map(({ type }) => type);
    },

    /** Runs the job that closes expired offers, and waits until `isDone` returns true. */
    async sweepOffers(isDone: () => Promise<boolean>): Promise<void> {
      await enqueueTask(service, 'offers_sweep');
      await eventually('the sweep was done', isDone);
    },
  };
  return { ...offerDriver, otherKey: await offerDriver.createMerchantKey(OTHER_MERCHANT) };
}
