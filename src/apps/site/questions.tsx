import type { components } from '#client';
import { normalizeForSearch, pluralize } from '../text/format.ts';
import { Chips, EmptyState, PageHead, Question, SearchForm } from '../ui/components.tsx';
import { Layout } from '../ui/layout.tsx';
import type { SitePageHandler } from './visit.ts';

type Entry = components['schemas']['FaqEntry'];

const TOPIC_TITLES: Record<string, string> = {
  'como-funciona': 'Como funciona',
  pagamentos: 'Pagamentos',
  atrasos: 'Atrasos e prorrogação',
  cashback: 'Cashback',
  indicacao: 'Convites',
  'conta-e-seguranca': 'Conta e segurança',
  'para-lojistas': 'Para lojistas',
};

const getTopicTitle = (topic: string) =>
  TOPIC_TITLES[topic] ?? topic.replaceAll('-', ' ').replace(/^./, (letter) => letter.toUpperCase());

function filterEntries(entries: Entry[], q: string | undefined): Entry[] {
  const words = normalizeForSearch(q ?? '')
    .split(/\s+/)
    .filter(Boolean);
  const searchableEntries = entries.map((entry) => ({
    entry,
    text: normalizeForSearch(`${entry.question} ${entry.answer}`),
  }));
  return searchableEntries
    .filter(({ text }) => words.every((word) => text.includes(word)))
    .map(({ entry }) => entry);
}

export const questionsPage: SitePageHandler = async ({ reader, siteUrl, readQuery }) => {
  const q = readQuery('q')?.slice(0, 200);
  const { data } = await reader.read('listFaq', {});
  const matches = filterEntries(data, q);
  const topicOrder = Object.keys(TOPIC_TITLES);
  // Unknown topics come last.
  const getRank = (topic: string) => (topic in TOPIC_TITLES ? topicOrder.indexOf(topic) : topicOrder.length);
  const topics = Object.entries(Object.groupBy(matches, ({ topic }) => topic)).sort(
    ([a], [b]) => getRank(a) - getRank(b),
  );
  const head = {
    title: 'Perguntas frequentes',
    description:
      'Como funciona o crédito semanal: parcelas, PIX, atrasos, prorrogação, cashback, convites e segurança.',
    path: '/perguntas',
    siteUrl,
    noindex: q !== undefined,
    structuredData: {
      '@type': 'FAQPage',
      mainEntity: data.map(({ question, answer }) => ({
        '@type': 'Question',
        name: question,
        acceptedAnswer: { '@type': 'Answer', text: answer },
      })),
    },
  };
  return (
    <Layout head={head}>
      <div class="wrap narrow">
        <PageHead
          title="Perguntas frequentes"
          lead="Respostas curtas e diretas. Não achou a sua? Escreva para a gente."
        />
        <SearchForm
          action="/perguntas"
          label="Buscar nas perguntas"
          placeholder="Juros, prorrogar, senha…"
          value={q}
          live="contagem respostas"
        />
        <p class="muted" id="contagem" role="status">
          {pluralize(matches.length, 'pergunta', 'perguntas')}
          {q && ` sobre “${q}”`}
        </p>
        <div id="respostas">
          {!q && (
            <nav aria-label="Assuntos">
              <Chips
                chips={topics.map(([topic]) => ({ href: `#tema-${topic}`, text: getTopicTitle(topic) }))}
              />
            </nav>
          )}
          {topics.map(([topic, entries = []]) => (
            <section key={topic} class="topic" aria-labelledby={`tema-${topic}`}>
              <h2 class="small-title" id={`tema-${topic}`}>
                {getTopicTitle(topic)}
              </h2>
              <div class="questions">
                {entries.map(({ id, question, answer }) => (
                  <Question key={id} id={id} question={question} answer={answer} />
                ))}
              </div>
            </section>
          ))}
          {matches.length === 0 && (
            <EmptyState title="Nenhuma pergunta com essas palavras.">
              <p>
                <a href="/perguntas">Veja todas as perguntas</a> ou <a href="/contato">faça a sua</a>.
              </p>
            </EmptyState>
          )}
        </div>
      </div>
    </Layout>
  );
};
