import type { components } from '#client';
import { plain, plural } from '../text/format.ts';
import { Layout } from '../ui/layout.tsx';
import { PageHead, Question, SearchForm } from '../ui/parts.tsx';
import type { MakePage } from './visit.ts';

type Entry = components['schemas']['FaqEntry'];

const TOPICS: Record<string, string> = {
  'como-funciona': 'Como funciona',
  pagamentos: 'Pagamentos',
  atrasos: 'Atrasos e prorrogação',
  cashback: 'Cashback',
  indicacao: 'Convites',
  'conta-e-seguranca': 'Conta e segurança',
  'para-lojistas': 'Para lojistas',
};

const nameOf = (topic: string) =>
  TOPICS[topic] ?? topic.replaceAll('-', ' ').replace(/^./, (letter) => letter.toUpperCase());

/** Entries that contain every word, in question or answer. */
function matching(entries: Entry[], q: string | undefined): Entry[] {
  const words = plain(q ?? '')
    .split(/\s+/)
    .filter(Boolean);
  const texts = entries.map((entry) => ({ entry, text: plain(`${entry.question} ${entry.answer}`) }));
  return texts.filter(({ text }) => words.every((word) => text.includes(word))).map(({ entry }) => entry);
}

export const questionsPage: MakePage = async ({ reader, siteUrl, query }) => {
  const q = query('q')?.slice(0, 200);
  const { data } = await reader.read('listFaq', {});
  const found = matching(data, q);
  const order = Object.keys(TOPICS);
  const rank = (topic: string) => (order.indexOf(topic) + order.length + 1) % (order.length + 1); // others last
  const topics = Object.entries(Object.groupBy(found, ({ topic }) => topic)).sort(
    ([a], [b]) => rank(a) - rank(b),
  );
  const head = {
    title: 'Perguntas frequentes',
    description:
      'Como funciona o crédito semanal: parcelas, PIX, atrasos, prorrogação, cashback, convites e segurança.',
    path: '/perguntas',
    siteUrl,
    hidden: q !== undefined,
    data: {
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
          {plural(found.length, 'pergunta', 'perguntas')}
          {q && ` sobre “${q}”`}
        </p>
        <div id="respostas">
          {!q && (
            <nav aria-label="Assuntos">
              <ul class="chips">
                {topics.map(([topic]) => (
                  <li key={topic}>
                    <a class="chip" href={`#tema-${topic}`}>
                      {nameOf(topic)}
                    </a>
                  </li>
                ))}
              </ul>
            </nav>
          )}
          {topics.map(([topic, entries = []]) => (
            <section key={topic} class="topic" aria-labelledby={`tema-${topic}`}>
              <h2 class="small-title" id={`tema-${topic}`}>
                {nameOf(topic)}
              </h2>
              <div class="questions">
                {entries.map(({ id, question, answer }) => (
                  <Question key={id} id={id} question={question} answer={answer} />
                ))}
              </div>
            </section>
          ))}
          {found.length === 0 && (
            <div class="empty">
              <p>
                <b>Nenhuma pergunta com essas palavras.</b>
              </p>
              <p>
                <a href="/perguntas">Veja todas as perguntas</a> ou <a href="/contato">faça a sua</a>.
              </p>
            </div>
          )}
        </div>
      </div>
    </Layout>
  );
};
