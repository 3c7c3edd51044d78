export type Kind = 'cob' | 'cobv';
export type Person = { cpf?: string; cnpj?: string; nome: string } & Record<string, string>;
export type Adjustment = { modalidade: number; valorPerc?: string };
export type Discount = Adjustment & { descontoDataFixa?: Array<{ data: string; valorPerc: string }> };

/** What a charge asks for, checked, in the words of the wire. */
export type Terms = {
  calendario: { expiracao?: number; dataDeVencimento?: string; validadeAposVencimento?: number };
  devedor?: Person;
  valor: {
    original: string;
    modalidadeAlteracao?: number;
    multa?: Adjustment;
    juros?: Adjustment;
    abatimento?: Adjustment;
    desconto?: Discount;
  };
  chave: string;
  solicitacaoPagador?: string;
  infoAdicionais?: Array<{ nome: string; valor: string }>;
};
