import { isProblem } from '#client';
import { OfficeLayout } from './layout.tsx';
import { maskedName, maskedPhone, Section } from './parts.tsx';
import type { StaffClient } from './staff/client.ts';
import type { MakeOfficePage } from './visit.ts';

type Hit = { href: string; text: string; more?: string };
type Found = { title: string; hits: Hit[] };

const LIMIT = { limit: 8 };
/** What the service refuses as a filter, or does not know, finds nothing. */
const orNone = <T,>(found: Promise<T>): Promise<T | undefined> =>
  found.catch((error: unknown) => {
    if (isProblem(error) && [400, 403, 404].includes(error.status)) return undefined;
    throw error;
  });

async function find(api: StaffClient, q: string): Promise<Found[]> {
  const digits = q.replace(/\D/g, '');
  const isNumber = digits.length >= 8 && /^[\d\s().+-]+$/.test(q);
  const [people, byPhone, byCpf, purchase, referred, payments, merchants, posts] = await Promise.all([
    isNumber ? undefined : orNone(api.listCustomers({ query: { ...LIMIT, q } })),
    isNumber ? orNone(api.listCustomers({ query: { ...LIMIT, phone: q } })) : undefined,
    digits.length === 11 ? orNone(api.listCustomers({ query: { ...LIMIT, cpf: digits } })) : undefined,
    /^\w{16,30}$/.test(q) ? orNone(api.getCheckoutOfAnybody({ path: { hash: q } })) : undefined,
    orNone(api.listCheckoutsOfAll({ query: { ...LIMIT, reference: q } })),
    /^E\w{20,40}$/.test(q)
      ? orNone(api.listPixPaymentItems({ query: { ...LIMIT, end_to_end_id: q } }))
      : undefined,
    isNumber ? undefined : orNone(api.listMerchantForStaff({ query: { ...LIMIT, q } })),
    isNumber ? undefined : orNone(api.listPostForStaff({ query: { ...LIMIT, q } })),
  ]);
  const customers = [people, byPhone, byCpf].flatMap((list) => list?.data ?? []);
  return [
    {
      title: 'Clientes',
      hits: [...new Map(customers.map((one) => [one.id, one])).values()].map(({ id, name, phone }) => ({
        href: `/clientes/${id}`,
        text: maskedName(name),
        more: maskedPhone(phone),
      })),
    },
    {
      title: 'Compras',
      hits: [
        ...(purchase ? [{ hash: purchase.hash!, merchant: purchase.merchant }] : []),
        ...(referred?.data ?? []),
      ].map(({ hash, merchant }) => ({ href: `/compras/${hash}`, text: hash, more: merchant.name })),
    },
    {
      title: 'Pagamentos',
      hits: (payments?.data ?? []).map(({ end_to_end_id }) => ({
        href: `/pagamentos/${end_to_end_id}`,
        text: end_to_end_id,
      })),
    },
    {
      title: 'Lojas',
      hits: (merchants?.data ?? []).map(({ slug, name }) => ({
        href: `/lojas/${slug}`,
        text: name,
        more: slug,
      })),
    },
    {
      title: 'Posts',
      hits: (posts?.data ?? []).map(({ slug, title }) => ({ href: `/posts/${slug}`, text: title })),
    },
  ].filter(({ hits }) => hits.length > 0);
}

/** One box for everything. Enter opens the only match. */
export const searchPage: MakeOfficePage = async (visit) => {
  const q = visit.search.get('q')?.trim() ?? '';
  const found = q.length < 2 ? [] : await find(visit.api, q);
  const hits = found.flatMap((one) => one.hits);
  if (hits.length === 1 && !visit.search.has('lista')) return { to: hits[0]!.href };
  return {
    body: (
      <OfficeLayout title="Busca" visit={visit}>
        {q.length < 2 ? (
          <p class="empty">Escreva um nome, telefone, CPF, código de compra, txid ou id de PIX.</p>
        ) : (
          hits.length === 0 && <p class="empty">Nada encontrado.</p>
        )}
        {found.map(({ title, hits: some }) => (
          <Section key={title} title={title}>
            <ul class="office-links" data-rows>
              {some.map(({ href, text, more }) => (
                <li key={href}>
                  <a href={href}>{text}</a> {more && <span class="muted">{more}</span>}
                </li>
              ))}
            </ul>
          </Section>
        ))}
      </OfficeLayout>
    ),
  };
};
