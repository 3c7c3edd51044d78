import { type Client, isProblem, verifyWebhook } from '#client';

export type Order = {
  /** Ours: the reference of its offer, and the Idempotency-Key that the offer is made with. */
  id: string;
  items: Array<{ name: string; quantity: number; amount: number }>;
  amount: number;
  /** Paid and unpaid are final. */
  status: 'pending' | 'paid' | 'unpaid';
  /** Why it is unpaid. */
  reason?: string;
  offer?: { id: string; link: string };
  /** The sale, once it is paid. */
  checkoutHash?: string;
  /** By how much the installments came down since something was returned. */
  returned: number;
  isWhollyReturned: boolean;
};

type Options = {
  api: Client;
  /** Where the shop is: the customer comes back there. */
  url: string;
  webhookSecret: string;
  find: (id: string) => Order | undefined;
  save: (order: Order) => void;
};

export function openPayments({ api, url, webhookSecret, find, save }: Options) {
  /** The same order again is the same offer: it can be repeated after a crash or a timeout. */
  const makeOffer = ({ id, amount, items }: Order) =>
    api.createOffer({
      idempotencyKey: id,
      body: { amount, items, installments: 4, reference: id, return_url: `${url}/pedidos/${id}` },
    });

  /** Asks the service what became of an order. Nothing else decides it. */
  async function sync(order: Order): Promise<void> {
    if (order.status === 'unpaid') return;
    try {
      const { offer: known } = order;
      const offer = known ? await api.getOffer({ path: { id: known.id } }) : await makeOffer(order);
      order.offer = { id: offer.id, link: offer.link };
      if (offer.checkout_hash) {
        order.status = 'paid';
        order.checkoutHash = offer.checkout_hash;
        const sale = await api.getSale({ path: { hash: offer.checkout_hash } });
        order.returned = Math.max(order.returned, sale.amounts.returned);
        order.isWhollyReturned ||= sale.returned_at !== null;
      } else if (offer.status !== 'pending') {
        order.status = 'unpaid';
        order.reason = offer.status;
      }
    } catch (error) {
      // Refused before there was an offer: nobody can pay it. Whatever else went wrong, ask again later.
      if (order.offer || !isProblem(error) || error.status !== 422) throw error;
      order.status = 'unpaid';
      order.reason = error.message;
    } finally {
      save(order);
    }
  }

  return {
    sync,

    /** Takes an order back. If the customer accepted just before, it is paid. */
    async cancel(order: Order): Promise<void> {
      await sync(order);
      if (order.status !== 'pending') return;
      await api.cancelOffer({ path: { id: order.offer!.id } }).catch((error: unknown) => {
        if (!isProblem(error) || error.status !== 409) throw error;
      });
      await sync(order);
    },

    /** A webhook may come late, twice, or in another order. So it is taken as a hint to ask. */
    async hear(headers: Record<string, string | string[] | undefined>, body: Uint8Array): Promise<void> {
      const { data } = verifyWebhook({ secrets: webhookSecret, headers, body });
      const order = 'reference' in data && data.reference ? find(data.reference) : undefined;
      if (order) await sync(order);
    },
  };
}
