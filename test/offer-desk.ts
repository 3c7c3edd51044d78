import assert from 'node:assert/strict';
import { sql } from '#platform/database/db.ts';
import { type ApiResponse, eventually, type Node, type Service } from './harness.ts';
import type { Shopper } from './shop.ts';
import { logIn } from './support/customers.ts';

/** The bakery's key. */
export const MERCHANT_KEY = 'sandbox-merchant-key';
export const OTHER_MERCHANT = 'otica-lume';

export function assertRefused(answer: ApiResponse, status: number, code: string): ApiResponse['body'] {
  assert.equal(`${answer.status} ${answer.body?.code}`, `${status} ${code}`, answer.text);
  return answer.body;
}

/** Makes and accepts offers in a service, and reads the results. */
export async function openOfferDesk(service: Service) {
  const findMerchantId = async (slug: string) =>
    (await service.db.row<{ id: number }>(sql`select id from merchants where slug = ${slug}`))!.id;

  const stall = {
    merchantIdOf: findMerchantId,

    /** A merchant's key. */
    async createMerchantKey(slug: string, more: { partner_id?: string } = {}): Promise<string> {
      const keyInput = { scopes: ['merchant' as const], merchant_id: await findMerchantId(slug), ...more };
      const { secret } = await service.newKey(keyInput);
      return secret;
    },

    /** An offer of the bakery; by default R$ 100.00 in three installments. */
    requestOffer: (phone: string, more: object = {}, options: object = {}) =>
      service.post(
        '/merchant/offers',
        { phone, amount: 100, installments: 3, ...more },
        { key: MERCHANT_KEY, ...options },
      ),

    async createOffer(phone: string, more: object = {}, options: object = {}): Promise<ApiResponse['body']> {
      const answer = await stall.requestOffer(phone, more, options);
      assert.equal(answer.status, 201, answer.text);
      return answer.body;
    },

    /** An open offer: R$ 100.00 in three, of the bakery, by default. */
    requestOpenOffer: (more: object = {}, options: object = {}) =>
      service.post(
        '/merchant/offers',
        { amount: 100, installments: 3, ...more },
        { key: MERCHANT_KEY, ...options },
      ),

    async createOpenOffer(more: object = {}, options: object = {}): Promise<ApiResponse['body']> {
      const answer = await stall.requestOpenOffer(more, options);
      assert.equal(answer.status, 201, answer.text);
      return answer.body;
    },

    claim: (
      credential: { token?: string; code?: string },
      token: string,
      node: Node = service,
      more: object = {},
    ) => node.post('/wallet/offers/claim', credential, { token, ...more }),

    /** As the bakery sees it. */
    async getOffer(id: string): Promise<ApiResponse['body']> {
      const answer = await service.get(`/merchant/offers/${id}`, { key: MERCHANT_KEY });
      assert.equal(answer.status, 200, answer.text);
      return answer.body;
    },

    createToken: async (shopper: Shopper) => (await logIn(service, shopper)).token,

    accept: (id: string, token: string, body: object = {}, more: object = {}, node: Node = service) =>
      node.post(`/wallet/offers/${id}/accept`, body, { token, ...more }),

    decline: (id: string, token: string, node: Node = service) =>
      node.post(`/wallet/offers/${id}/decline`, undefined, { token }),

    cancel: (id: string, key = MERCHANT_KEY, node: Node = service) =>
      node.post(`/merchant/offers/${id}/cancel`, undefined, { key }),

    /** The types of an offer's events. */
    async listEventTypes(offerId: string): Promise<string[]> {
      const rows = await service.db.rows<{ type: string }>(sql`
        select type from (select type, data from events union all select type, data from global_events) as e
        where type like 'offer.%' and data ->> 'offer_id' = ${offerId} order by type`);
      return rows.map(({ type }) => type);
    },

    async sweepOffers(isDone: () => Promise<boolean>): Promise<void> {
      await service.db.run(sql`select 1 from graphile_worker.add_job('offers_sweep')`);
      await eventually('the sweep was done', isDone);
    },
  };
  return { ...stall, otherKey: await stall.createMerchantKey(OTHER_MERCHANT) };
}
