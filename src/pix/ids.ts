const INSTALLMENT_ID = /^ins_[0-9a-z]{26}$/;
const CHARGE_ID = /^pix_[0-9a-z]{26}$/;

// What cannot be an id is not looked for: it may hold what PostgreSQL refuses.
export const isInstallmentId = (text: string): boolean => INSTALLMENT_ID.test(text);
export const isChargeId = (text: string): boolean => CHARGE_ID.test(text);
