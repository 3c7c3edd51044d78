import { plural } from '../text/format.ts';
import { OfficeLayout, placesCalled } from './layout.tsx';
import { maskedName } from './parts.tsx';
import type { StaffSchemas } from './staff/client.ts';
import { Section } from './tables.tsx';
import type { MakeOfficePage, OfficeVisit } from './visit.ts';

type Hit = StaffSchemas['SearchHit'];

/** Where each kind of thing has its page, and what its group is called. */
const KINDS: Record<Hit['kind'], { title: string; href: (hit: Hit) => string }> = {
  customer: { title: 'Clientes', href: ({ id }) => `/clientes/${id}` },
  checkout: { title: 'Compras', href: ({ id }) => `/compras/${id}` },
  payment: { title: 'Pagamentos', href: ({ id }) => `/pagamentos/${id}` },
  orphan: { title: 'Pagamentos sem dono', href: ({ id }) => `/sem-dono/${id}` },
  charge: { title: 'Cobranças', href: ({ customer_id }) => `/cobrancas?customer=${customer_id}` },
  refund: { title: 'Estornos', href: ({ customer_id }) => `/estornos?customer=${customer_id}` },
  offer: { title: 'Ofertas', href: ({ id }) => `/ofertas/${id}` },
  merchant: { title: 'Lojas', href: ({ id }) => `/lojas/${id}` },
  post: { title: 'Posts', href: ({ id }) => `/posts/${id}` },
};

const find = async ({ api, search, who }: OfficeVisit) => {
  const q = search.get('q')?.trim().slice(0, 100) ?? '';
  const hits: Hit[] = q === '' ? [] : (await api.searchEverything({ query: { q } })).data;
  return { q, hits, places: placesCalled(who!, q) };
};

const PlaceLink = ({ of: { href, text }, kind }: { of: { href: string; text: string }; kind?: string }) => (
  <li>
    <a href={href}>{text}</a> {kind && <span class="muted">{kind}</span>}
  </li>
);

const HitLink = ({ hit, kind }: { hit: Hit; kind?: string }) => (
  <li>
    <a href={KINDS[hit.kind].href(hit)}>
      {hit.kind === 'customer' ? maskedName(hit.customer_name) : hit.title}
    </a>{' '}
    <span class="muted">
      {kind && `${kind} · `}
      {hit.kind !== 'customer' && hit.customer_name && `${maskedName(hit.customer_name)} · `}
      {hit.id}
    </span>
  </li>
);

/** One box for everything. Enter opens the only match. */
export const searchPage: MakeOfficePage = async (visit) => {
  const { q, hits, places } = await find(visit);
  const [only, another] = [
    ...places.map(({ href }) => href),
    ...hits.map((hit) => KINDS[hit.kind].href(hit)),
  ];
  if (only && another === undefined) return { to: only };
  const found = Map.groupBy(hits, ({ kind }) => kind);
  return (
    <OfficeLayout title="Busca" visit={visit}>
      {hits.length + places.length === 0 && (
        <p class="empty">
          {q === ''
            ? 'Escreva um nome, telefone, CPF, código de compra, txid, id de PIX, referência ou página.'
            : 'Nada encontrado.'}
        </p>
      )}
      {places.length > 0 && (
        <Section title="Páginas">
          <ul class="office-links" data-rows>
            {places.map((place) => (
              <PlaceLink key={place.href} of={place} />
            ))}
          </ul>
        </Section>
      )}
      {[...found].map(([kind, some]) => (
        <Section key={kind} title={KINDS[kind].title}>
          <ul class="office-links" data-rows>
            {some.map((hit) => (
              <HitLink key={hit.id} hit={hit} />
            ))}
          </ul>
        </Section>
      ))}
    </OfficeLayout>
  );
};

const SUGGESTED = 8;

/** What is found while somebody types, for the script: it opens nothing by itself. */
export const suggestionsPage: MakeOfficePage = async (visit) => {
  const { hits, places } = await find(visit);
  const total = hits.length + places.length;
  return (
    <html lang="pt-BR">
      <body>
        <p>{total === 0 ? 'Nada encontrado.' : plural(total, 'resultado', 'resultados')}</p>
        <ul>
          {places.map((place) => (
            <PlaceLink key={place.href} of={place} kind="Página" />
          ))}
          {hits.slice(0, SUGGESTED).map((hit) => (
            <HitLink key={hit.id} hit={hit} kind={KINDS[hit.kind].title} />
          ))}
        </ul>
      </body>
    </html>
  );
};
