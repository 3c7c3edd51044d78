import { isProblem, type Output } from '#client';
import { readReais } from '#core/money.ts';
import { mediaPath } from '../server/media.ts';
import { inReais, percent, plainReais, plural, whole } from '../text/format.ts';
import { LinkButton, Submit } from '../ui/buttons.tsx';
import { describe, FieldError, MoneyField } from '../ui/field.tsx';
import { Out, Pin } from '../ui/icons.tsx';
import { Layout } from '../ui/layout.tsx';
import {
  Cashback,
  Line,
  Logo,
  type Merchant,
  MerchantCard,
  PageHead,
  Pagination,
  placeOf,
  SearchForm,
} from '../ui/parts.tsx';
import { Cet, Schedule } from '../ui/schedule.tsx';
import type { MakePage, Visit } from './visit.ts';

const TO_A_PAGE = 24;

const listAddress = (given: { q?: string | undefined; categoria?: string | undefined; pagina?: number }) => {
  const kept = Object.entries(given).filter(([, value]) => value !== undefined && value !== 1);
  const search = new URLSearchParams(kept.map(([name, value]) => [name, String(value)]));
  return search.size > 0 ? `/lojas?${search}` : '/lojas';
};

export const merchantsPage: MakePage = async ({ reader, siteUrl, query, page: wanted }) => {
  const [q, categoria, page] = [query('q')?.slice(0, 200), query('categoria')?.slice(0, 100), wanted()];
  const [{ data, pagination }, categories] = await Promise.all([
    reader.read('listMerchants', {
      query: { ...(q && { q }), ...(categoria && { category: categoria }), page, limit: TO_A_PAGE },
    }),
    reader.read('listCategories', {}),
  ]);
  if (page > pagination.pages && page > 1)
    return { to: listAddress({ q, categoria, pagina: Math.max(pagination.pages, 1) }) };
  const category = categories.data.find(({ slug }) => slug === categoria);
  const title = category?.name ?? 'Lojas parceiras';
  const description = `Encontre lojas que vendem com a Semana: ${plural(pagination.total, 'loja', 'lojas')} para comprar hoje e pagar por semana.`;
  // Search results are not indexed; categories and their pages are.
  const path = listAddress({ categoria: category?.slug, pagina: page });
  return (
    <Layout head={{ title, description, path, siteUrl, hidden: q !== undefined || data.length === 0 }}>
      <div class="wrap">
        <PageHead
          title={title}
          lead="Busque pelo nome, pela cidade ou pelo que você precisa. Pode errar na digitação."
        />
        <SearchForm
          action="/lojas"
          label="Buscar loja"
          placeholder="Padaria, farmácia, oficina…"
          value={q}
          live="contagem resultados filtros"
        >
          {categoria && <input type="hidden" name="categoria" value={categoria} />}
        </SearchForm>
        <nav aria-label="Categorias" id="filtros">
          <ul class="chips">
            <li>
              <a class="chip" href={listAddress({ q })} aria-current={categoria ? undefined : 'true'}>
                Todas
              </a>
            </li>
            {categories.data.map(({ slug, name, merchants }) => (
              <li key={slug}>
                <a
                  class="chip"
                  href={listAddress({ q, categoria: slug })}
                  aria-current={slug === categoria ? 'true' : undefined}
                >
                  {name} <span class="chip-count">{merchants}</span>
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <p class="muted" id="contagem" role="status">
          {plural(pagination.total, 'loja', 'lojas')}
          {q && ` para “${q}”`}
        </p>
        <div id="resultados">
          {data.length > 0 ? (
            <ul class="grid">
              {data.map((merchant) => (
                <MerchantCard key={merchant.slug} merchant={merchant} />
              ))}
            </ul>
          ) : (
            <div class="empty">
              <p>
                <b>Nenhuma loja encontrada.</b>
              </p>
              <p>
                Tente outra palavra, <a href="/lojas">veja todas as lojas</a> ou{' '}
                <a href="/contato">sugira uma loja</a>.
              </p>
            </div>
          )}
          <Pagination
            page={page}
            pages={pagination.pages}
            href={(pagina) => listAddress({ q, categoria, pagina })}
          />
        </div>
      </div>
    </Layout>
  );
};

export const merchantPage: MakePage = async (visit) => {
  const { reader, siteUrl, params } = visit;
  const slug = params.slug!;
  const merchant = await reader.read('getMerchant', { path: { slug } });
  const near = await reader.read('listMerchants', { query: { category: merchant.category.slug, limit: 5 } });
  const others = near.data.filter((other) => other.slug !== slug).slice(0, 4);
  const simulation = await simulate(visit, slug);
  const { name, description, category, website, cashback_percent } = merchant;
  const place = placeOf(merchant);
  const head = {
    title: name,
    description: description ?? `Compre em ${name} e pague por semana, com PIX.`,
    path: `/lojas/${slug}`,
    siteUrl,
    image: `/og/lojas/${slug}.png`,
    data: structured(merchant, siteUrl),
  };
  return (
    <Layout head={head}>
      <div class="wrap">
        <div class={simulation ? 'with-aside' : ''}>
          <div>
            <PageHead
              title={name}
              media={<Logo merchant={merchant} size={96} />}
              crumbs={[
                { href: '/lojas', text: 'Lojas' },
                { href: `/lojas?categoria=${category.slug}`, text: category.name },
              ]}
            >
              <ul class="facts">
                {place && (
                  <li>
                    <Pin />
                    {place}
                  </li>
                )}
                {cashback_percent > 0 && (
                  <li>
                    <Cashback value={cashback_percent} />
                  </li>
                )}
                {website && /^https?:/.test(website) && (
                  <li>
                    <Out />
                    <a href={website} rel="noopener nofollow">
                      Site da loja
                    </a>
                  </li>
                )}
              </ul>
            </PageHead>
            {description && <p class="lead">{description}</p>}
          </div>
          {simulation && <Simulator slug={slug} {...simulation} wasAsked={wasAsked(visit)} />}
          <div class="below">
            <h2 class="small-title">Como comprar aqui</h2>
            <ol class="plain-steps">
              <li>Na hora de pagar, diga que vai usar a Semana e informe o seu celular.</li>
              <li>Abra a oferta, confira parcelas, datas e CET, e aceite.</li>
              <li>Leve a compra. A primeira parcela vence em sete dias.</li>
            </ol>
            {cashback_percent > 0 && (
              <p>Cada parcela paga em dia devolve {percent(cashback_percent)} do seu valor em cashback.</p>
            )}
            <p class="actions">
              <LinkButton to="/carteira/cadastro">Criar minha conta</LinkButton>
            </p>
          </div>
        </div>
        {others.length > 0 && (
          <>
            <h2 class="small-title">Mais em {category.name}</h2>
            <ul class="grid four">
              {others.map((other) => (
                <MerchantCard key={other.slug} merchant={other} level={3} />
              ))}
            </ul>
          </>
        )}
      </div>
    </Layout>
  );
};

type Quote = Output<'quotePurchase'>;
/** `wrong`: the field with an error, and its text. */
type Simulation = {
  amount: string;
  weeks: number;
  quote?: Quote;
  wrong?: { field: 'valor' | 'parcelas'; text: string };
};

const wasAsked = ({ query }: Visit) => (query('valor') ?? query('parcelas')) !== undefined;

/** Undefined if the service has no quotes for this merchant. `unasked`: the example shown before anything was entered. */
async function simulate(
  visit: Visit,
  slug: string,
  unasked = { amount: '200,00', weeks: 4 },
): Promise<Simulation | undefined> {
  const { query, reader } = visit;
  const [valor, parcelas] = [query('valor'), query('parcelas')];
  const amount = valor ?? unasked.amount;
  const weeks = /^([1-9]|[1-4]\d|5[0-2])$/.test(parcelas ?? '') ? Number(parcelas) : unasked.weeks;
  const cents = readReais(amount);
  const unread = { field: 'valor', text: 'Escreva o valor assim: 150 ou 150,00.' } as const;
  try {
    // Called even if the amount is invalid, to find out whether there are quotes at all.
    const wish = { amount: (cents ?? 20_000) / 100, installments: weeks };
    const found = await reader.read('quotePurchase', { path: { slug }, query: wish });
    return cents === null ? { amount, weeks, wrong: unread } : { amount, weeks, quote: found };
  } catch (error) {
    if (isProblem(error) && error.status === 404) return undefined;
    if (!isProblem(error) || error.status >= 500) throw error;
    // The merchant's limits.
    const { min_amount: min, max_amount: max, max_installments: most } = error.body;
    const near = typeof min === 'number' && plainReais(min > 200 ? min : Number(max));
    if (near && near !== amount && valor === undefined)
      return simulate(visit, slug, { ...unasked, amount: near });
    if (typeof most === 'number' && most < weeks && parcelas === undefined)
      return simulate(visit, slug, { ...unasked, weeks: most });
    if (cents === null || error.status === 400) return { amount, weeks, wrong: unread };
    const field = typeof most === 'number' ? 'parcelas' : 'valor';
    return { amount, weeks, wrong: { field, text: whole(error.message) } };
  }
}

/** Without a script the result, or the wrong field, gets the focus by autofocus; a `#` in the address would prevent that. */
function Simulator(props: Simulation & { slug: string; wasAsked: boolean }) {
  const { slug, amount, weeks, quote, wrong } = props;
  const errorOf = (field: string) => (wrong?.field === field ? wrong.text : undefined);
  return (
    <section class="panel simulator" aria-labelledby="simular">
      <h2 id="simular">Simule a sua compra</h2>
      <form action={`/lojas/${slug}`} method="get" data-live="valor-erro parcelas-erro simulacao">
        <MoneyField
          name="valor"
          label="Valor da compra (R$)"
          value={amount}
          error={errorOf('valor')}
          focus={wrong?.field === 'valor'}
          maxLength={20}
          live
        />
        <div class="field">
          <label for="parcelas">Em quantas semanas</label>
          <select
            id="parcelas"
            name="parcelas"
            {...describe('parcelas', { error: errorOf('parcelas') })}
            {...(wrong?.field === 'parcelas' && { autofocus: true })}
          >
            {Array.from({ length: Math.max(12, weeks) }, (_, i) => i + 1).map((n) => (
              <option key={n} value={n} selected={n === weeks}>
                {plural(n, 'semana', 'semanas')}
              </option>
            ))}
          </select>
          <FieldError name="parcelas" error={errorOf('parcelas')} live />
        </div>
        <Submit>Simular</Submit>
      </form>
      <div
        id="simulacao"
        aria-live="polite"
        tabIndex={-1}
        {...(props.wasAsked && !wrong && { autofocus: true })}
      >
        {quote && <QuoteTable quote={quote} />}
      </div>
    </section>
  );
}

function QuoteTable({ quote: { installments, total, cost, terms } }: { quote: Quote }) {
  return (
    <>
      <p class="big">
        <span class="figure">{installments.length} ×</span> {inReais(installments[0]!.amount)}
        <small>por semana</small>
      </p>
      <dl class="totals">
        <Line name="Total" value={inReais(total)} />
        <Line name="Custo do crédito" value={inReais(cost)} />
        <Cet terms={terms} />
      </dl>
      <Schedule caption="Parcelas da simulação" heading="Semana" installments={installments} />
      <p class="hint">
        Simulação para uma compra feita hoje. Vale a oferta da loja, que você vê por completo antes de
        aceitar.
      </p>
    </>
  );
}

function structured(
  { name, slug, description, logo_url, city, state, website }: Merchant,
  siteUrl: string,
): object {
  const picture = mediaPath(logo_url);
  return {
    '@type': 'LocalBusiness',
    name,
    url: `${siteUrl}/lojas/${slug}`,
    ...(description && { description }),
    ...(picture && { image: siteUrl + picture }),
    ...(website && { sameAs: website }),
    ...(city && {
      address: {
        '@type': 'PostalAddress',
        addressLocality: city,
        addressRegion: state,
        addressCountry: 'BR',
      },
    }),
  };
}
