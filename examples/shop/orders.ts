import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Order } from './payments.ts';

/** Stores all orders in one file that is replaced atomically: a crash leaves the old or the new content. */
export function openOrders(file: string) {
  const orders = new Map<string, Order>(readOrders(file).map((order) => [order.id, order]));
  return {
    get: (id: string) => orders.get(id),
    list: () => [...orders.values()],
    save(order: Order): void {
      orders.set(order.id, order);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(`${file}.new`, JSON.stringify([...orders.values()], null, 2));
      renameSync(`${file}.new`, file);
    },
  };
}

function readOrders(file: string): Order[] {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Order[];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
