import { formatNumber, formatReais } from '../text/format.ts';
import { LinkButton, QuietLink } from '../ui/buttons.tsx';
import { Chips, MerchantCard, PostCard, Question, SearchForm, Section, StepIcon } from '../ui/components.tsx';
import { Bag, Bolt, Calendar, Check, Coin, Shield, Store } from '../ui/icons.tsx';
import { Layout } from '../ui/layout.tsx';
import type { SitePageHandler } from './visit.ts';

const STEPS = [
  {
    icon: <Bag />,
    title: 'Escolha na loja',
    text: 'Na loja parceira, diga que vai pagar com a Semana. A oferta chega ao seu celular com valor, número de semanas e custo total.',
  },
  {
    icon: <Calendar />,
    title: 'Confira e aceite',
    text: 'Você vê cada parcela, cada data e o CET antes de aceitar. Se não responder, nada é cobrado.',
  },
  {
    icon: <Bolt />,
    title: 'Pague por PIX, toda semana',
    text: 'Um código PIX por parcela, com confirmação automática. Pagando em dia, parte do valor volta como cashback.',
  },
];

const COSTS = [
  {
    figure: '0%',
    title: 'de taxa padrão',
    text: 'Com a taxa padrão, a soma das parcelas é exatamente o valor da compra. Se houver outra taxa, ela aparece antes, com o CET.',
  },
  {
    figure: '2%',
    title: 'de multa, uma vez por vencimento',
    text: 'Só em caso de atraso, sobre o valor que ficou em aberto.',
  },
  {
    figure: '1%',
    title: 'ao mês de juros simples',
    text: 'Só em caso de atraso, contados por dia. Nunca juros sobre juros.',
  },
  {
    figure: '7 dias',
    title: 'a mais por 5%',
    text: 'Semana apertada? Você pode prorrogar a parcela até duas vezes.',
  },
];

const REWARDS = [
  {
    icon: <Coin />,
    title: 'Cashback a cada parcela',
    text: 'Cada loja tem o seu percentual. Pagou até o vencimento, o dinheiro volta e serve para abater as próximas parcelas.',
  },
  {
    icon: <Check />,
    title: 'Convide e ganhem os dois',
    text: 'Quando a pessoa convidada pagar as primeiras parcelas, vocês dois recebem cashback. O valor, e quanto precisa ser pago, aparecem na sua carteira antes de você convidar.',
  },
];

const FEATURED_FAQ_IDS = [
  'existe-juros-na-compra',
  'quando-vence-cada-parcela',
  'quanto-custa-atrasar',
  'como-ganho-cashback',
  'quem-ve-meus-dados',
];

export const homePage: SitePageHandler = async ({ reader, siteUrl }) => {
  const [merchants, categories, posts, faq] = await Promise.all([
    reader.read('listMerchants', { query: { limit: 100 } }),
    reader.read('listCategories', {}),
    reader.read('listPosts', { query: { limit: 3 } }),
    reader.read('listFaq', {}),
  ]);
  const topMerchants = merchants.data.toSorted((a, b) => b.cashback_percent - a.cashback_percent).slice(0, 6);
  const questions = FEATURED_FAQ_IDS.flatMap((id) => faq.data.find((entry) => entry.id === id) ?? []);
  const description =
    'Compre em lojas perto de você e pague em parcelas semanais por PIX. Você vê o custo total antes de aceitar, e pagar em dia rende cashback.';
  const facts = [
    { icon: <Store />, text: `${formatNumber(merchants.pagination.total)} lojas` },
    { icon: <Bolt />, text: 'Pagamento confirmado na hora' },
    { icon: <Shield />, text: 'CET sempre visível' },
  ];
  const head = {
    title: 'Semana: compre hoje, pague por semana',
    description,
    path: '/',
    siteUrl,
    structuredData: { '@type': 'Organization', name: 'Semana', url: siteUrl, logo: `${siteUrl}/icon.svg` },
  };
  return (
    <Layout head={head}>
      <div class="hero">
        <div class="wrap hero-row">
          <div class="hero-text">
            <h1>
              Compre hoje.
              <br />
              <em>Pague por semana.</em>
            </h1>
            <p class="lead">
              Crédito nas lojas do bairro, em parcelas pequenas que acompanham o seu dinheiro. Tudo por PIX,
              com o custo total na tela antes de você aceitar.
            </p>
            <p class="actions">
              <LinkButton href="/carteira/cadastro">Criar minha conta</LinkButton>
              <QuietLink href="/lojas">Ver lojas</QuietLink>
            </p>
            <ul class="facts">
              {facts.map(({ icon, text }) => (
                <li key={text}>
                  {icon}
                  {text}
                </li>
              ))}
            </ul>
          </div>
          <ExamplePurchase />
        </div>
      </div>

      <Section id="como-funciona" title="Três passos, sem papelada">
        <ol class="steps">
          {STEPS.map(({ icon, title, text }) => (
            <li key={title}>
              <StepIcon>{icon}</StepIcon>
              <h3>{title}</h3>
              <p>{text}</p>
            </li>
          ))}
        </ol>
      </Section>

      <Section title="Onde comprar" tone="soft" moreLink={{ href: '/lojas', text: 'Ver todas as lojas' }}>
        <SearchForm action="/lojas" label="Buscar loja" placeholder="Padaria, farmácia, oficina…" />
        <Chips
          chips={categories.data.map(({ slug, name, merchants: count }) => ({
            href: `/lojas?categoria=${slug}`,
            text: name,
            count,
          }))}
        />
        <ul class="grid">
          {topMerchants.map((merchant) => (
            <MerchantCard key={merchant.slug} merchant={merchant} level={3} />
          ))}
        </ul>
      </Section>

      <Section
        id="custos"
        tone="deep"
        title="Quanto custa, sem letra miúda"
        lead="Isto é tudo o que pode ser cobrado, e nada além disso."
      >
        <dl class="costs">
          {COSTS.map(({ figure, title, text }) => (
            <div key={title}>
              <dt>
                <strong>{figure}</strong> {title}
              </dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      </Section>

      <Section title="Pagar em dia vale a pena">
        <div class="pair">
          {REWARDS.map(({ icon, title, text }) => (
            <div key={title} class="panel">
              <StepIcon>{icon}</StepIcon>
              <h3>{title}</h3>
              <p>{text}</p>
            </div>
          ))}
        </div>
      </Section>

      {posts.data.length > 0 && (
        <Section title="Do blog" moreLink={{ href: '/blog', text: 'Ler o blog' }}>
          <ul class="grid posts">
            {posts.data.map((post) => (
              <PostCard key={post.slug} post={post} level={3} />
            ))}
          </ul>
        </Section>
      )}

      {questions.length > 0 && (
        <Section
          title="Perguntas frequentes"
          tone="soft"
          moreLink={{ href: '/perguntas', text: 'Ver todas' }}
        >
          <div class="questions">
            {questions.map(({ id, question, answer }) => (
              <Question key={id} question={question} answer={answer} />
            ))}
          </div>
        </Section>
      )}

      <section class="section">
        <div class="wrap">
          <div class="call">
            <div>
              <h2>Tem uma loja?</h2>
              <p>
                Seu cliente paga por semana e você recebe em dias. A análise e a cobrança ficam com a gente.
              </p>
            </div>
            <a class="button light" href="/seja-parceiro">
              Quero ser parceiro
            </a>
          </div>
        </div>
      </section>
    </Layout>
  );
};

const EXAMPLE_WEEKS = [
  { name: '1ª semana', statusText: 'Paga', className: 'done' },
  { name: '2ª semana', statusText: 'Paga', className: 'done' },
  { name: '3ª semana', statusText: 'hoje', className: 'now' },
  { name: '4ª semana', statusText: 'sexta que vem', className: '' },
];

/** An illustration of a purchase, built from text. A screen reader announces a single description of it. */
function ExamplePurchase() {
  return (
    <div
      class="example"
      role="img"
      aria-label={`Exemplo: uma compra de ${formatReais(120)} em quatro semanas de ${formatReais(30)}; duas pagas, a terceira vence hoje.`}
    >
      <div class="example-card" aria-hidden="true">
        <div class="example-top">
          <span class="logo logo-56 example-logo">P</span>
          <span>
            <b>Padaria do bairro</b>
            <small>4 × {formatReais(30)}</small>
          </span>
          <strong>{formatReais(120)}</strong>
        </div>
        <ul class="weeks">
          {EXAMPLE_WEEKS.map(({ name, statusText, className }) => (
            <li key={name} class={className}>
              <span class="dot">{className === 'done' && <Check />}</span>
              <span>
                {name}
                <small>{statusText}</small>
              </span>
              <span class="amount">{formatReais(30)}</span>
            </li>
          ))}
        </ul>
        <span class="button example-pay">Pagar com PIX</span>
      </div>
      <div class="example-note" aria-hidden="true">
        <Coin />
        <span>
          <b>+ {formatReais(1.5)}</b> de cashback
        </span>
      </div>
    </div>
  );
}
