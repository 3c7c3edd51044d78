import { isProblem, type Output } from '#client';
import { parseReaisInput } from '#core/values/money.ts';
import { toMediaPath } from '../server/media.ts';
import {
  formatPercent,
  formatReais,
  formatReaisInput,
  keepAmountsTogether,
  pluralize,
} from '../text/format.ts';
import { LinkButton, Submit } from '../ui/buttons.tsx';
import {
  CashbackBadge,
  Chips,
  EmptyState,
  formatLocation,
  Line,
  Logo,
  type Merchant,
  MerchantCard,
  PageHead,
  Pagination,
  SearchForm,
} from '../ui/components.tsx';
import { CetLine, Schedule } from '../ui/costs.tsx';
import { buildAriaAttributes, FieldError, MoneyField, Options } from '../ui/forms.tsx';
import { ExternalLink, Pin } from '../ui/icons.tsx';
import { Layout } from '../ui/layout.tsx';
import { buildWeekChoices } from '../ui/offer-components.tsx';
import type { SitePageHandler, SiteVisit } from './visit.ts';

const PAGE_SIZE = 24;
const EXAMPLE_AMOUNT = 200;
const EXAMPLE_WEEKS = 4;
const MAX_OTHER_MERCHANTS = 4;
/** 1 to 52. */
const WEEKS_PATTERN = /^([1-9]|[1-4]\d|5[0-2])$/;
/** The select offers at least this many weeks, also if the merchant allows fewer: then the quote says how many. */
const MIN_SELECTABLE_WEEKS = 12;

function buildListPath(filters: { q?: string | undefined; categoria?: string | undefined; pagina?: number }) {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(filters)) {
    const isFirstPage = value === 1;
    if (value !== undefined && !isFirstPage) search.set(name, String(value));
  }
  return search.size > 0 ? `/lojas?${search}` : '/lojas';
}

export const merchantsPage: SitePageHandler = async ({ reader, siteUrl, readQuery, pageNumber: page }) => {
  const [q, categorySlug] = [readQuery('q')?.slice(0, 200), readQuery('categoria')?.slice(0, 100)];
  const [{ data, pagination }, categories] = await Promise.all([
    reader.read('listMerchants', {
      query: { ...(q && { q }), ...(categorySlug && { category: categorySlug }), page, limit: PAGE_SIZE },
    }),
    reader.read('listCategories', {}),
  ]);
  if (page > pagination.pages && page > 1)
    return {
      redirectTo: buildListPath({ q, categoria: categorySlug, pagina: Math.max(pagination.pages, 1) }),
    };
  const category = categories.data.find(({ slug }) => slug === categorySlug);
  const title = category?.name ?? 'Lojas parceiras';
  const description = `Encontre lojas que vendem com a Semana: ${pluralize(pagination.total, 'loja', 'lojas')} para comprar hoje e pagar por semana.`;
  // Search results are not indexed; categories and their pages are.
  const path = buildListPath({ categoria: category?.slug, pagina: page });
  return (
    <Layout head={{ title, description, path, siteUrl, noindex: q !== undefined || data.length === 0 }}>
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
          {categorySlug && <input type="hidden" name="categoria" value={categorySlug} />}
        </SearchForm>
        <nav aria-label="Categorias" id="filtros">
          <Chips
            chips={[
              { href: buildListPath({ q }), text: 'Todas', isCurrent: !categorySlug },
              ...categories.data.map(({ slug, name, merchants: count }) => ({
                href: buildListPath({ q, categoria: slug }),
                text: name,
                count,
                isCurrent: slug === categorySlug,
              })),
            ]}
          />
        </nav>
        <p class="muted" id="contagem" role="status">
          {pluralize(pagination.total, 'loja', 'lojas')}
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
            <EmptyState title="Nenhuma loja encontrada.">
              <p>
                Tente outra palavra, <a href="/lojas">veja todas as lojas</a> ou{' '}
                <a href="/contato">sugira uma loja</a>.
              </p>
            </EmptyState>
          )}
          <Pagination
            page={page}
            pages={pagination.pages}
            buildHref={(targetPage) => buildListPath({ q, categoria: categorySlug, pagina: targetPage })}
          />
        </div>
      </div>
    </Layout>
  );
};

export const merchantPage: SitePageHandler = async (visit) => {
  const { reader, siteUrl, params } = visit;
  const slug = params.slug!;
  const merchant = await reader.read('getMerchant', { path: { slug } });
  // Reads one merchant more than is shown, because the list may contain this merchant.
  const categoryMerchants = await reader.read('listMerchants', {
    query: { category: merchant.category.slug, limit: MAX_OTHER_MERCHANTS + 1 },
  });
  const otherMerchants = categoryMerchants.data
    .filter((other) => other.slug !== slug)
    .slice(0, MAX_OTHER_MERCHANTS);
  const simulation = await simulate(visit, slug);
  const { name, description, category, website, cashback_percent } = merchant;
  const location = formatLocation(merchant);
  const head = {
    title: name,
    description: description ?? `Compre em ${name} e pague por semana, com PIX.`,
    path: `/lojas/${slug}`,
    siteUrl,
    image: `/og/lojas/${slug}.png`,
    structuredData: buildStructuredData(merchant, siteUrl),
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
                {location && (
                  <li>
                    <Pin />
                    {location}
                  </li>
                )}
                {cashback_percent > 0 && (
                  <li>
                    <CashbackBadge value={cashback_percent} />
                  </li>
                )}
                {website && /^https?:/.test(website) && (
                  <li>
                    <ExternalLink />
                    <a href={website} rel="noopener nofollow">
                      Site da loja
                    </a>
                  </li>
                )}
              </ul>
            </PageHead>
            {description && <p class="lead">{description}</p>}
          </div>
          {simulation && <Simulator slug={slug} {...simulation} isSubmitted={hasSimulationInput(visit)} />}
          <div class="below">
            <h2 class="small-title">Como comprar aqui</h2>
            <ol class="plain-steps">
              <li>Na hora de pagar, diga que vai usar a Semana e informe o seu celular.</li>
              <li>Abra a oferta, confira parcelas, datas e CET, e aceite.</li>
              <li>Leve a compra. A primeira parcela vence em sete dias.</li>
            </ol>
            {cashback_percent > 0 && (
              <p>
                Cada parcela paga em dia devolve {formatPercent(cashback_percent)} do seu valor em cashback.
              </p>
            )}
            <p class="actions">
              <LinkButton href="/carteira/cadastro">Criar minha conta</LinkButton>
            </p>
          </div>
        </div>
        {otherMerchants.length > 0 && (
          <>
            <h2 class="small-title">Mais em {category.name}</h2>
            <ul class="grid four">
              {otherMerchants.map((other) => (
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
type Simulation = {
  amount: string;
  weeks: number;
  quote?: Quote;
  error?: { field: 'valor' | 'parcelas'; text: string };
};

const hasSimulationInput = ({ readQuery }: SiteVisit) =>
  (readQuery('valor') ?? readQuery('parcelas')) !== undefined;

/** Clamps an amount to the range in the body of an API problem. Each bound may be missing. */
export function fitAmount(
  amount: number,
  { min_amount: min, max_amount: max }: Record<string, unknown>,
): number {
  const raisedAmount = Math.max(amount, typeof min === 'number' ? min : 0);
  return Math.min(raisedAmount, typeof max === 'number' ? max : Number.POSITIVE_INFINITY);
}

/**
 * Quotes the purchase that the visitor entered. A missing amount or number of weeks is taken from `example`. If the merchant's plan
 * does not allow the example, quotes again with one that it allows. Returns undefined if the API has no quotes for this merchant.
 */
async function simulate(
  visit: SiteVisit,
  slug: string,
  example = { amount: EXAMPLE_AMOUNT, weeks: EXAMPLE_WEEKS },
): Promise<Simulation | undefined> {
  const { readQuery, reader } = visit;
  const [amountInput, weeksInput] = [readQuery('valor'), readQuery('parcelas')];
  const amount = amountInput ?? formatReaisInput(example.amount);
  const weeks = WEEKS_PATTERN.test(weeksInput ?? '') ? Number(weeksInput) : example.weeks;
  const cents = parseReaisInput(amount);
  const invalidAmountError = { field: 'valor', text: 'Escreva o valor assim: 150 ou 150,00.' } as const;
  try {
    // The API is called even if the amount is invalid, to find out whether it has quotes for this merchant.
    const purchase = { amount: cents === null ? EXAMPLE_AMOUNT : cents / 100, installments: weeks };
    const quote = await reader.read('quotePurchase', { path: { slug }, query: purchase });
    return cents === null ? { amount, weeks, error: invalidAmountError } : { amount, weeks, quote };
  } catch (error) {
    if (isProblem(error) && error.status === 404) return undefined;
    if (!isProblem(error) || error.status >= 500) throw error;
    const fittingAmount = fitAmount(example.amount, error.body);
    if (amountInput === undefined && fittingAmount !== example.amount)
      return simulate(visit, slug, { ...example, amount: fittingAmount });
    const maxWeeks = error.body.max_installments;
    if (weeksInput === undefined && typeof maxWeeks === 'number' && maxWeeks < weeks)
      return simulate(visit, slug, { ...example, weeks: maxWeeks });
    // Status 400: the amount is invalid for every merchant, such as 0.
    if (cents === null || error.status === 400) return { amount, weeks, error: invalidAmountError };
    const field = typeof maxWeeks === 'number' ? 'parcelas' : 'valor';
    return { amount, weeks, error: { field, text: keepAmountsTogether(error.message) } };
  }
}

/**
 * Without scripts, autofocus moves the focus to the result or to the field with an error. The form's action has no fragment, because
 * browsers ignore autofocus on a URL with a fragment.
 */
function Simulator(props: Simulation & { slug: string; isSubmitted: boolean }) {
  const { slug, amount, weeks, quote, error } = props;
  const getError = (field: string) => (error?.field === field ? error.text : undefined);
  return (
    <section class="panel simulator" aria-labelledby="simular">
      <h2 id="simular">Simule a sua compra</h2>
      <form action={`/lojas/${slug}`} method="get" data-live="valor-erro parcelas-erro simulacao">
        <MoneyField
          name="valor"
          label="Valor da compra (R$)"
          value={amount}
          error={getError('valor')}
          focus={error?.field === 'valor'}
          maxLength={20}
          live
        />
        <div class="field">
          <label for="parcelas">Em quantas semanas</label>
          <select
            id="parcelas"
            name="parcelas"
            {...buildAriaAttributes('parcelas', { error: getError('parcelas') })}
            {...(error?.field === 'parcelas' && { autofocus: true })}
          >
            <Options choices={buildWeekChoices(Math.max(MIN_SELECTABLE_WEEKS, weeks))} selected={weeks} />
          </select>
          <FieldError name="parcelas" error={getError('parcelas')} live />
        </div>
        <Submit>Simular</Submit>
      </form>
      <div
        id="simulacao"
        aria-live="polite"
        tabIndex={-1}
        {...(props.isSubmitted && !error && { autofocus: true })}
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
        <span class="figure">{installments.length} ×</span> {formatReais(installments[0]!.amount)}
        <small>por semana</small>
      </p>
      <dl class="totals">
        <Line name="Total" value={formatReais(total)} />
        <Line name="Custo do crédito" value={formatReais(cost)} />
        <CetLine terms={terms} />
      </dl>
      <Schedule caption="Parcelas da simulação" heading="Semana" installments={installments} />
      <p class="hint">
        Simulação para uma compra feita hoje. Vale a oferta da loja, que você vê por completo antes de
        aceitar.
      </p>
    </>
  );
}

function buildStructuredData(
  { name, slug, description, logo_url, city, state, website }: Merchant,
  siteUrl: string,
): object {
  const picture = toMediaPath(logo_url);
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
