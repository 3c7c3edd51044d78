import { type Client, isProblem } from '#client';
import type { Page } from '../server/page.ts';
import { readPhone } from '../text/format.ts';
import { Submit } from '../ui/buttons.tsx';
import { Field, PhoneField } from '../ui/field.tsx';
import { FormAlert } from '../ui/form-alert.tsx';
import { Bolt, Calendar, Shield } from '../ui/icons.tsx';
import { Layout } from '../ui/layout.tsx';
import { PageHead } from '../ui/parts.tsx';

type Form = 'seja-parceiro' | 'contato';
type Values = Partial<Record<'name' | 'email' | 'phone' | 'company' | 'message', string>>;
type Faults = { [F in keyof Values]?: string } & { form?: string };

const FORMS = {
  'seja-parceiro': {
    kind: 'partner',
    title: 'Venda parcelado por semana e receba em dias',
    description:
      'Ofereça crédito semanal na sua loja: o cliente paga por PIX em parcelas pequenas, e você recebe em poucos dias úteis.',
    lead: 'Sua loja oferece parcelas semanais e recebe em poucos dias úteis. A análise, a cobrança e o risco de atraso ficam com a gente.',
    send: 'Quero ser parceiro',
    company: { label: 'Nome da loja', optional: false },
    message: { label: 'Conte um pouco sobre a loja', optional: true },
    points: [
      {
        icon: <Bolt />,
        title: 'Sem maquininha nova',
        text: 'Você faz a oferta pelo celular: valor, número de semanas e pronto.',
      },
      {
        icon: <Calendar />,
        title: 'Dinheiro com data certa',
        text: 'Cada venda tem data de repasse, e o extrato mostra tudo, linha por linha.',
      },
      {
        icon: <Shield />,
        title: 'Cliente que volta',
        text: 'O cashback de quem paga em dia traz o cliente de volta.',
      },
    ],
  },
  contato: {
    kind: 'contact',
    title: 'Fale com a gente',
    description: 'Dúvidas, sugestões ou problemas com uma compra: escreva e uma pessoa responde.',
    lead: 'Dúvida, sugestão ou um problema com uma compra: escreva do seu jeito. Uma pessoa da equipe responde.',
    send: 'Enviar mensagem',
    company: null,
    message: { label: 'Mensagem', optional: false },
    points: [
      {
        icon: <Shield />,
        title: 'Nunca pedimos o seu código',
        text: 'Nem a senha. Se alguém pedir em nosso nome, é golpe.',
      },
      {
        icon: <Calendar />,
        title: 'Até dois dias úteis',
        text: 'É o prazo de resposta, por e-mail ou telefone.',
      },
    ],
  },
} as const;

/** The page's text for a field the service refuses. */
const FIELD_FAULTS: Record<keyof Values, string> = {
  name: 'Escreva o seu nome.',
  email: 'E-mail incompleto. Exemplo: nome@exemplo.com.br.',
  phone: 'Confira o telefone, com DDD: (11)\u00a098765-0001.',
  company: 'Escreva o nome da loja.',
  message: 'Escreva a mensagem, com até 5.000 caracteres.',
};
const FIELDS = Object.keys(FIELD_FAULTS) as Array<keyof Values>;

export function leadPage(
  form: Form,
  siteUrl: string,
  given: { values?: Values; faults?: Faults; status?: number } = {},
): Page {
  const { values = {}, faults = {}, status = 200 } = given;
  const { title, description, lead, send, company, message, points } = FORMS[form];
  const path = `/${form}`;
  const first = FIELDS.find((field) => faults[field]);
  const field = (name: keyof Values) => ({
    name,
    value: values[name],
    error: faults[name],
    focus: name === first,
  });
  return {
    status,
    body: (
      <Layout
        head={{
          title: status === 200 ? title : `Confira os campos: ${title}`,
          description,
          path,
          siteUrl,
          hidden: status !== 200,
        }}
      >
        <div class="wrap with-aside even">
          <div>
            <PageHead title={title} lead={lead} />
            <ul class="points">
              {points.map((point) => (
                <li key={point.title}>
                  <span class="step-icon">{point.icon}</span>
                  <div>
                    <h2>{point.title}</h2>
                    <p>{point.text}</p>
                  </div>
                </li>
              ))}
            </ul>
          </div>
          <form class="panel" action={path} method="post" data-once noValidate={status !== 200}>
            {(faults.form ?? first) && <FormAlert faults={faults as Record<string, string>} />}
            <Field {...field('name')} label="Seu nome" autocomplete="name" maxLength={200} />
            {company && (
              <Field
                {...field('company')}
                label={company.label}
                autocomplete="organization"
                maxLength={200}
              />
            )}
            <Field
              {...field('email')}
              label="E-mail"
              type="email"
              autocomplete="email"
              hint="Basta informar um dos dois: e-mail ou telefone."
              loose
              maxLength={254}
            />
            <PhoneField {...field('phone')} label="Telefone com DDD" autocomplete="tel" loose />
            <Field
              {...field('message')}
              label={message.label}
              optional={message.optional}
              rows={4}
              maxLength={5000}
            />
            <Submit wide>{send}</Submit>
            <p class="hint">Usamos os seus dados só para responder, como manda a LGPD.</p>
          </form>
        </div>
      </Layout>
    ),
  };
}

/** Undefined when the lead is stored; else the page again, with the typed values and errors. */
export async function sendLead(
  api: Client,
  form: Form,
  siteUrl: string,
  sent: URLSearchParams,
): Promise<Page | undefined> {
  const values: Values = {};
  for (const field of FIELDS) {
    const text = sent.get(field)?.trim();
    if (text) values[field] = text;
  }
  const faults: Faults = {};
  for (const field of ['name', 'company', 'message'] as const) {
    const asked = field === 'name' || FORMS[form][field]?.optional === false;
    if (asked && !values[field]) faults[field] = FIELD_FAULTS[field];
  }
  if (!values.email && !values.phone) faults.email = 'Informe um e-mail ou um telefone para a resposta.';
  if (Object.keys(faults).length > 0) return leadPage(form, siteUrl, { values, faults, status: 422 });
  const { kind } = FORMS[form];
  const phone = values.phone && { phone: readPhone(values.phone) };
  try {
    await api.createLead({
      body: { kind, ...values, ...phone } as Parameters<Client['createLead']>[0]['body'],
    });
    return undefined;
  } catch (error) {
    if (!isProblem(error) || error.status >= 500) throw error;
    for (const { pointer } of error.errors) {
      const field = FIELDS.find((name) => pointer === `/${name}`);
      if (field) faults[field] = FIELD_FAULTS[field];
    }
    const tooMany =
      'Recebemos mensagens demais em pouco tempo. Espere um minuto e envie de novo: o texto continua aqui.';
    if (error.status === 429) faults.form = tooMany;
    else if (Object.keys(faults).length === 0)
      faults.form = 'Não deu para enviar. Confira os campos e tente de novo.';
    return leadPage(form, siteUrl, { values, faults, status: error.status === 429 ? 429 : 422 });
  }
}
