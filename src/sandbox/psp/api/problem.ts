/** One thing that is wrong, as the standard writes it. */
export type Violation = { razao: string; propriedade: string; valor?: string };

const SAME_FOR_WRITES = 'não respeita o _schema_ ou está semanticamente errada.';
const SAME_FOR_LISTS = 'não respeitam o _schema_ ou não fazem sentido semanticamente.';

/** The standard's kinds of error that this PSP gives: status, title, detail. */
const KINDS = {
  RequisicaoInvalida: [400, 'Requisição inválida.', 'A requisição não é um documento JSON válido.'],
  AcessoNegado: [
    403,
    'Acesso Negado',
    'Requisição de participante autenticado que viola alguma regra de autorização.',
  ],
  NaoEncontrado: [404, 'Não Encontrado', 'Entidade não encontrada.'],
  ErroInternoDoServidor: [500, 'Erro interno do servidor.', 'Condição inesperada ao processar requisição.'],
  ServicoIndisponivel: [
    503,
    'Serviço Indisponível',
    'Serviço não está disponível no momento. Serviço solicitado pode estar em manutenção ou fora da janela de funcionamento.',
  ],
  CobPayloadNaoEncontrado: [
    404,
    'Não Encontrado',
    'A cobrança em questão não foi encontrada para a location requisitada.',
  ],
  CobNaoEncontrado: [404, 'Não Encontrado', 'Cobrança não encontrada para o txid informado.'],
  CobOperacaoInvalida: [
    400,
    'Cobrança inválida.',
    `A requisição que busca alterar ou criar uma cobrança para pagamento imediato ${SAME_FOR_WRITES}`,
  ],
  CobConsultaInvalida: [
    400,
    'Consulta inválida.',
    `Os parâmetros de consulta à lista de cobranças para pagamento imediato ${SAME_FOR_LISTS}`,
  ],
  PayloadLocationNaoEncontrado: [404, 'Não Encontrado', 'Location não encontrada para o id informado.'],
  PayloadLocationOperacaoInvalida: [
    400,
    'Operação inválida.',
    'A presente requisição busca criar uma location sem respeitar o _schema_ estabelecido.',
  ],
  PayloadLocationConsultaInvalida: [
    400,
    'Consulta inválida.',
    `Os parâmetros de consulta à lista de locations ${SAME_FOR_LISTS}`,
  ],
  PixNaoEncontrado: [404, 'Não Encontrado', 'Pix não encontrado para o e2eid informado.'],
  PayloadLocationRecNaoEncontrado: [404, 'Não Encontrado', 'Location não encontrada para o id informado.'],
  RecNaoEncontrada: [404, 'Não Encontrado', 'Recorrência não encontrada para o idRec informado.'],
  RecOperacaoInvalida: [
    400,
    'Recorrência inválida.',
    `A requisição que busca criar ou alterar uma recorrência ${SAME_FOR_WRITES}`,
  ],
  RecConsultaInvalida: [
    400,
    'Consulta inválida.',
    `Os parâmetros de consulta à recorrência ${SAME_FOR_LISTS}`,
  ],
  CobRNaoEncontrado: [404, 'Não Encontrado', 'Cobrança não encontrada para o txid informado.'],
  CobROperacaoInvalida: [
    400,
    'Cobrança inválida.',
    `A requisição que busca alterar ou criar uma cobrança recorrente ${SAME_FOR_WRITES}`,
  ],
  PixConsultaInvalida: [
    400,
    'Consulta inválida.',
    `Os parâmetros de consulta à lista de pix recebidos ${SAME_FOR_LISTS}`,
  ],
  PixDevolucaoNaoEncontrada: [
    404,
    'Não Encontrado',
    'Devolução representada por {id} não encontrada para o e2eid informado.',
  ],
  PixDevolucaoInvalida: [
    400,
    'Devolução inválida.',
    'A presente requisição de devolução não respeita o _schema_ ou não faz sentido semanticamente.',
  ],
  WebhookNaoEncontrado: [
    404,
    'Não Encontrado',
    'O webhook denotado por {chave} não encontra-se estabelecido.',
  ],
  WebhookOperacaoInvalida: [
    400,
    'Webhook inválido.',
    'A presente requisição busca criar um webhook sem respeitar o _schema_ ou, ainda, com sentido semanticamente inválido.',
  ],
  WebhookConsultaInvalida: [
    400,
    'Consulta inválida.',
    `Os parâmetros de consulta à lista de webhooks ativados ${SAME_FOR_LISTS}`,
  ],
} as const satisfies Record<string, readonly [number, string, string]>;

export type ErrorKind = keyof typeof KINDS;

/** Thrown by a handler of the simulated API; answered as RFC 7807 in the standard's words. */
export class PspProblem extends Error {
  readonly status: number;
  readonly body: Record<string, unknown>;

  constructor(
    kind: ErrorKind,
    violations: readonly Violation[] = [],
    changed: { status?: number; detail?: string } = {},
  ) {
    const [status, title, detail] = KINDS[kind];
    super(kind);
    this.status = changed.status ?? status;
    this.body = {
      type: `https://pix.bcb.gov.br/api/v2/error/${kind}`,
      title,
      status: this.status,
      detail: changed.detail ?? detail,
      ...(violations.length > 0 && { violacoes: violations }),
    };
  }
}

/** Collects violations, to report them together. */
export class Violations {
  readonly #prefix: string;
  readonly list: Violation[] = [];

  /** `prefix` stands before every property: 'cob' makes 'cob.valor.original'. */
  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  add(property: string, reason: (name: string) => string, value?: unknown): void {
    const name = this.#prefix === '' ? property : `${this.#prefix}.${property}`;
    const shown =
      typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, 200) : undefined;
    this.list.push({ razao: reason(name), propriedade: name, ...(shown !== undefined && { valor: shown }) });
  }

  schema(property: string, value?: unknown): void {
    this.add(property, (name) => `O campo ${name} não respeita o _schema_.`, value);
  }

  throwIfAny(kind: ErrorKind): void {
    if (this.list.length > 0) throw new PspProblem(kind, this.list);
  }
}
