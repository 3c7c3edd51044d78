import type { StaffSchemas } from '#staff-client';
import { pluralize } from '../text/format.ts';
import { OfficeLayout, searchMenu } from './layout.tsx';
import { Section, toMaskedName } from './tables.tsx';
import type { OfficePageHandler, OfficeVisit } from './visit.ts';

type Hit = StaffSchemas['SearchHit'];

const HIT_KINDS: Record<Hit['kind'], { title: string; buildHref: (hit: Hit) => string }> = {
  customer: { title: 'Clientes', buildHref: ({ id }) => `/clientes/${id}` },
  checkout: { title: 'Compras', buildHref: ({ id }) => `/compras/${id}` },
  payment: { title: 'Pagamentos', buildHref: ({ id }) => `/pagamentos/${id}` },
  orphan: { title: 'Pagamentos sem dono', buildHref: ({ id }) => `/sem-dono/${id}` },
  charge: { title: 'Cobranças', buildHref: ({ customer_id }) => `/cobrancas?customer=${customer_id}` },
  refund: { title: 'Estornos', buildHref: ({ customer_id }) => `/estornos?customer=${customer_id}` },
  offer: { title: 'Ofertas', buildHref: ({ id }) => `/ofertas/${id}` },
  merchant: { title: 'Lojas', buildHref: ({ id }) => `/lojas/${id}` },
  post: { title: 'Posts', buildHref: ({ id }) => `/posts/${id}` },
};

const searchAll = async ({ api, search, user }: OfficeVisit) => {
  const q = search.get('q')?.trim().slice(0, 100) ?? '';
  const hits: Hit[] = q === '' ? [] : (await api.searchEverything({ query: { q } })).data;
  return { q, hits, menuItems: searchMenu(user!, q) };
};

const MenuLink = ({ item, kind }: { item: { href: string; text: string }; kind?: string }) => (
  <li>
    <a href={item.href}>{item.text}</a> {kind && <span class="muted">{kind}</span>}
  </li>
);

const HitLink = ({ hit, kind }: { hit: Hit; kind?: string }) => (
  <li>
    <a href={HIT_KINDS[hit.kind].buildHref(hit)}>
      {hit.kind === 'customer' ? toMaskedName(hit.customer_name) : hit.title}
    </a>{' '}
    <span class="muted">
      {kind && `${kind} · `}
      {hit.kind !== 'customer' && hit.customer_name && `${toMaskedName(hit.customer_name)} · `}
      {hit.id}
    </span>
  </li>
);

/** Searches everything. Redirects to the match if there is only one. */
export const searchPage: OfficePageHandler = async (visit) => {
  const { q, hits, menuItems } = await searchAll(visit);
  const [firstHref, secondHref] = [
    ...menuItems.map(({ href }) => href),
    ...hits.map((hit) => HIT_KINDS[hit.kind].buildHref(hit)),
  ];
  if (firstHref && secondHref === undefined) return { redirectTo: firstHref };
  const hitsByKind = Map.groupBy(hits, ({ kind }) => kind);
  return (
    <OfficeLayout title="Busca" visit={visit}>
      {hits.length + menuItems.length === 0 && (
        <p class="empty">
          {q === ''
            ? 'Escreva um nome, telefone, CPF, código de compra, txid, id de PIX, referência ou página.'
            : 'Nada encontrado.'}
        </p>
      )}
      {menuItems.length > 0 && (
        <Section title="Páginas">
          <ul class="office-links" data-rows>
            {menuItems.map((item) => (
              <MenuLink key={item.href} item={item} />
            ))}
          </ul>
        </Section>
      )}
      {[...hitsByKind].map(([kind, kindHits]) => (
        <Section key={kind} title={HIT_KINDS[kind].title}>
          <ul class="office-links" data-rows>
            {kindHits.map((hit) => (
              <HitLink key={hit.id} hit={hit} />
            ))}
          </ul>
        </Section>
      ))}
    </OfficeLayout>
  );
};

const MAX_SUGGESTIONS = 8;

/** Renders suggestions for the script while the user types. Unlike the search page it never redirects to a match. */
export const suggestionsPage: OfficePageHandler = async (visit) => {
  const { hits, menuItems } = await searchAll(visit);
  const total = hits.length + menuItems.length;
  return (
    <html lang="pt-BR">
      <body>
        <p>{total === 0 ? 'Nada encontrado.' : pluralize(total, 'resultado', 'resultados')}</p>
        <ul>
          {menuItems.map((item) => (
            <MenuLink key={item.href} item={item} kind="Página" />
          ))}
          {hits.slice(0, MAX_SUGGESTIONS).map((hit) => (
            <HitLink key={hit.id} hit={hit} kind={HIT_KINDS[hit.kind].title} />
          ))}
        </ul>
      </body>
    </html>
  );
};
