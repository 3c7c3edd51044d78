export type Product = { id: string; name: string; description: string; price: number; picture: string };
/** Products with their quantities. */
export type Cart = Array<{ product: Product; quantity: number }>;

/** The maximum quantity of a product in a cart. */
const MAX_QUANTITY = 20;

/** The products. Their pictures are SVG in a square of 96 units. */
export const PRODUCTS: readonly Product[] = [
  {
    id: 'bolo',
    name: 'Bolo de casamento',
    description: 'Dois andares, massa de nozes e recheio de doce de leite. Serve quarenta pessoas.',
    price: 180,
    picture:
      '<path fill="#f6d7c3" d="M18 56h60v24H18z"/><path fill="#fdf3ea" d="M30 34h36v22H30z"/>' +
      '<path fill="#c2552d" d="M18 56h60v6H18zM30 34h36v5H30z"/><path fill="#7a3b1d" d="M46 18h4v16h-4z"/>' +
      '<circle cx="48" cy="15" r="4" fill="#e9a23b"/>',
  },
  {
    id: 'cesta',
    name: 'Cesta de café da manhã',
    description: 'Pães da fornada das quatro, geleia, queijo da Canastra, frutas e café moído na hora.',
    price: 95.5,
    picture:
      '<path fill="none" stroke="#7a3b1d" stroke-width="4" d="M26 46c0-36 44-36 44 0"/>' +
      '<ellipse cx="38" cy="44" rx="14" ry="9" fill="#e9a23b"/><ellipse cx="60" cy="44" rx="13" ry="8" fill="#d98a2b"/>' +
      '<path fill="#b56a35" d="M16 46h64l-8 34H24z"/>' +
      '<path fill="none" stroke="#8f4f24" stroke-width="3" d="M19 57h58M22 68h52"/>',
  },
  {
    id: 'broa',
    name: 'Broas de fubá, dúzia',
    description: 'Casca rachada, erva-doce e fubá de moinho de pedra.',
    price: 32.9,
    picture:
      '<ellipse cx="34" cy="60" rx="20" ry="14" fill="#e3a93f"/><ellipse cx="64" cy="60" rx="20" ry="14" fill="#d99a2e"/>' +
      '<ellipse cx="49" cy="42" rx="20" ry="14" fill="#efbd5a"/>' +
      '<path fill="none" stroke="#9c661b" stroke-width="2" d="M40 38l8 6 10-4M26 58l8 5 8-4M58 58l7 5 7-4"/>',
  },
];

/** Parses a cart such as `bolo:1,broa:2`. Adds up the quantities of the same product, and ignores unknown products and invalid quantities. */
export function parseCart(text: string): Cart {
  const lines = text.split(',').map((line) => {
    const [id, quantity] = line.split(':');
    return { id, quantity: Math.floor(Number(quantity)) };
  });
  return PRODUCTS.flatMap((product) => {
    const validLines = lines.filter(({ id, quantity }) => id === product.id && quantity > 0);
    const total = validLines.reduce((sum, { quantity }) => sum + quantity, 0);
    return total > 0 ? [{ product, quantity: Math.min(total, MAX_QUANTITY) }] : [];
  });
}

export const formatCart = (cart: Cart): string =>
  cart.map(({ product, quantity }) => `${product.id}:${quantity}`).join(',');

/** Computes the amount of a line of the cart in centavos, because 0.1 + 0.2 is not 0.3 in reais. */
const computeCentavos = ({ product, quantity }: Cart[number]) => Math.round(product.price * 100) * quantity;

export const sumAmount = (cart: Cart): number =>
  cart.reduce((sum, line) => sum + computeCentavos(line), 0) / 100;

/** Lists the items of an order. */
export const listItems = (cart: Cart) =>
  cart.map((line) => ({
    name: line.product.name,
    quantity: line.quantity,
    amount: computeCentavos(line) / 100,
  }));

/** Creates a cart with the items of an earlier order. */
export const createCart = (items: ReadonlyArray<{ name: string; quantity: number }>): Cart =>
  items.flatMap(({ name, quantity }) => {
    const product = PRODUCTS.find((candidate) => candidate.name === name);
    return product ? [{ product, quantity }] : [];
  });
