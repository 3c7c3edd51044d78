import { type Client, isProblem, verifyWebhook } from '#client';

export type Order = {
  /** The shop's id: the reference of the offer, and the Idempotency-Key of its creation. */
  id: string;
  items: Array<{ name: string; quantity: number; amount: number }>;
  amount: number;
  /** `paid` and `unpaid` are final. */
  status: 'pending' | 'paid' | 'unpaid';
  /** Why the order is unpaid: the final status of the offer, or the message of the refusal. */
  reason?: string;
  offer?: { id: string; link: string };
  /** The hash of the purchase, once the order is paid. */
  checkoutHash?: string;
  /** The amount by which returns have reduced the installments. */
  returnedAmount: number;
  isFullyReturned: boolean;
};

type Options = {
  api: Client;
  /** The URL of the shop, to which customers return. */
  url: string;
  webhookSecret: string;
  findOrder: (id: string) => Order | undefined;
  saveOrder: (order: Order) => void;
};

export function createPayments({ api, url, webhookSecret, findOrder, saveOrder }: Options) {
  /** Creates the offer of an order. Idempotent: a repetition after a crash or a timeout returns the same offer. */
  const createOffer = ({ id, amount, items }: Order) =>
    api.createOffer({
      idempotencyKey: id,
      body: { amount, items, installments: 4, reference: id, return_url: `${url}/pedidos/${id}` },
    });

  /** Updates an order in place from the service, and saves it. Nothing else changes the state of an order. */
  async function sync(order: Order): Promise<void> {
    if (order.status === 'unpaid') return;
    try {
      const { offer: existingOffer } = order;
      const offer = existingOffer
        ? await api.getOffer({ path: { id: existingOffer.id } })
        : await createOffer(order);
      order.offer = { id: offer.id, link: offer.link };
      if (offer.checkout_hash) {
        order.status = 'paid';
        order.checkoutHash = offer.checkout_hash;
        const sale = await api.getSale({ path: { hash: offer.checkout_hash } });
        order.returnedAmount = Math.max(order.returnedAmount, sale.amounts.returned);
        order.isFullyReturned ||= sale.returned_at !== null;
      } else if (offer.status !== 'pending') {
        order.status = 'unpaid';
        order.reason = offer.status;
      }
    } catch (error) {
      // The offer was refused, so the order cannot be paid. After any other error the caller tries again later.
      if (order.offer || !isProblem(error) || error.status !== 422) throw error;
      order.status = 'unpaid';
      order.reason = error.message;
    } finally {
      saveOrder(order);
    }
  }

  return {
    sync,

    /** Cancels an order. If the customer has accepted just before, the order is paid. */
    async cancel(order: Order): Promise<void> {
      await sync(order);
      if (order.status !== 'pending') return;
      await api.cancelOffer({ path: { id: order.offer!.id } }).catch((error: unknown) => {
        if (!isProblem(error) || error.status !== 409) throw error;
      });
      await sync(order);
    },

    /** Handles a webhook. It may arrive late, twice, or out of order, so it only triggers a read of the offer. */
    async receiveWebhook(
      headers: Record<string, string | string[] | undefined>,
      body: Uint8Array,
    ): Promise<void> {
      const { data } = verifyWebhook({ secrets: webhookSecret, headers, body });
      const order = 'reference' in data && data.reference ? findOrder(data.reference) : undefined;
      if (order) await sync(order);
    },
  };
}
