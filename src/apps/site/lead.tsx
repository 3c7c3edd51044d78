import { type Client, isProblem } from '#client';
import type { Page } from '../server/page.ts';
import type { FieldErrors, FieldValues } from '../server/submitted-form.ts';
import { parsePhone } from '../text/format.ts';
import { Submit } from '../ui/buttons.tsx';
import { PageHead, StepIcon } from '../ui/components.tsx';
import { Field, FormAlert, PhoneField, SubmissionContext } from '../ui/forms.tsx';
import { Bolt, Calendar, Shield } from '../ui/icons.tsx';
import { Layout } from '../ui/layout.tsx';

type FormName = 'seja-parceiro' | 'contato';
type FieldName = 'name' | 'email' | 'phone' | 'company' | 'message';

const FORMS = {
  'seja-parceiro': {
    kind: 'partner',
    title: 'Venda parcelado por semana e receba em dias',
    description:
      'Ofereça crédito semanal na sua loja: o cliente paga por PIX em parcelas pequenas, e você recebe em poucos dias úteis.',
    lead: 'Sua loja oferece parcelas semanais e recebe em poucos dias úteis. A análise, a cobrança e o risco de atraso ficam com a gente.',
    submitText: 'Quero ser parceiro',
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
    submitText: 'Enviar mensagem',
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

/** Texts for fields that are missing or that the API rejects. */
const FIELD_ERRORS: Record<FieldName, string> = {
  name: 'Escreva o seu nome.',
  email: 'E-mail incompleto. Exemplo: nome@exemplo.com.br.',
  phone: 'Confira o telefone, com DDD: (11)\u00a098765-0001.',
  company: 'Escreva o nome da loja.',
  message: 'Escreva a mensagem, com até 5.000 caracteres.',
};
const RATE_LIMIT_TEXT =
  'Recebemos mensagens demais em pouco tempo. Espere um minuto e envie de novo: o texto continua aqui.';
/** In the order of the form: of several fields with errors, the first one gets the focus. */
const FIELDS = Object.keys(FIELD_ERRORS) as FieldName[];
const getFieldRank = (name: string) => FIELDS.indexOf(name as FieldName);

/** Builds the page of a form. `submission`: what the visitor has submitted, if it was rejected, and the status of the response. */
export function buildLeadPage(
  formName: FormName,
  siteUrl: string,
  submission: { values?: FieldValues; errors?: FieldErrors; status?: number } = {},
): Page {
  const { values = {}, errors = {}, status = 200 } = submission;
  const { title, description, lead, submitText, company, message, points } = FORMS[formName];
  const path = `/${formName}`;
  const fieldErrors = Object.entries(errors).toSorted(([a], [b]) => getFieldRank(a) - getFieldRank(b));
  return {
    status,
    body: (
      <Layout
        head={{
          title: status === 200 ? title : `Confira os campos: ${title}`,
          description,
          path,
          siteUrl,
          noindex: status !== 200,
        }}
      >
        <div class="wrap with-aside even">
          <div>
            <PageHead title={title} lead={lead} />
            <ul class="points">
              {points.map((point) => (
                <li key={point.title}>
                  <StepIcon>{point.icon}</StepIcon>
                  <div>
                    <h2>{point.title}</h2>
                    <p>{point.text}</p>
                  </div>
                </li>
              ))}
            </ul>
          </div>
          {/* After a rejected submission the browser does not validate: the visitor can send what the page says is wrong. */}
          <form class="panel" action={path} method="post" data-once noValidate={status !== 200}>
            {Object.keys(errors).length > 0 && <FormAlert errors={errors} />}
            <SubmissionContext.Provider value={{ values, errors: Object.fromEntries(fieldErrors) }}>
              <Field name="name" label="Seu nome" autocomplete="name" maxLength={200} />
              {company && (
                <Field name="company" label={company.label} autocomplete="organization" maxLength={200} />
              )}
              <Field
                name="email"
                label="E-mail"
                type="email"
                autocomplete="email"
                hint="Basta informar um dos dois: e-mail ou telefone."
                notRequired
                maxLength={254}
              />
              <PhoneField name="phone" label="Telefone com DDD" autocomplete="tel" notRequired />
              <Field
                name="message"
                label={message.label}
                optional={message.optional}
                rows={4}
                maxLength={5000}
              />
            </SubmissionContext.Provider>
            <Submit class="wide">{submitText}</Submit>
            <p class="hint">Usamos os seus dados só para responder, como manda a LGPD.</p>
          </form>
        </div>
      </Layout>
    ),
  };
}

/** Stores the lead and returns undefined, or returns the page of the form with the typed values and the errors. */
export async function submitLead(api: Client, formName: FormName, siteUrl: string, fields: URLSearchParams) {
  const values: FieldValues = {};
  for (const field of FIELDS) {
    const text = fields.get(field)?.trim();
    if (text) values[field] = text;
  }
  const errors: FieldErrors = {};
  for (const field of ['name', 'company', 'message'] as const) {
    const isRequired = field === 'name' || FORMS[formName][field]?.optional === false;
    if (isRequired && !values[field]) errors[field] = FIELD_ERRORS[field];
  }
  if (!values.email && !values.phone) errors.email = 'Informe um e-mail ou um telefone para a resposta.';
  if (Object.keys(errors).length > 0)
    return buildLeadPage(formName, siteUrl, { values, errors, status: 422 });
  const { kind } = FORMS[formName];
  const parsedPhone = values.phone && { phone: parsePhone(values.phone) };
  try {
    await api.createLead({
      body: { kind, ...values, ...parsedPhone } as Parameters<Client['createLead']>[0]['body'],
    });
    return undefined;
  } catch (error) {
    if (!isProblem(error) || error.status >= 500) throw error;
    for (const { pointer } of error.errors) {
      const field = FIELDS.find((name) => pointer === `/${name}`);
      if (field) errors[field] = FIELD_ERRORS[field];
    }
    const isRateLimited = error.status === 429;
    if (isRateLimited) errors.form = RATE_LIMIT_TEXT;
    else if (Object.keys(errors).length === 0)
      errors.form = 'Não deu para enviar. Confira os campos e tente de novo.';
    return buildLeadPage(formName, siteUrl, { values, errors, status: isRateLimited ? 429 : 422 });
  }
}
