// Made by 'npm run generate' from openapi.json.
export interface components {
    schemas: {
        AgingReport: {
            /**
             * Format: date
             * @description The report is as of the end of this day in São Paulo; of today, as of now.
             */
            on: string;
            /**
             * Format: date-time
             * @description Of a day that is over: when it was worked out from the facts. What is heard of it later is in the days after.
             */
            worked_out_at: string;
            data: {
                /** @enum {unknown} */
                days_late: "1-7" | "8-30" | "31-90" | "90+";
                installments: number;
                /**
                 * Format: reais
                 * @description What is late of the installments, penalties not counted, in reais.
                 */
                outstanding: number;
                /**
                 * Format: reais
                 * @description What of it is on purchases that are written off, in reais.
                 */
                written_off: number;
            }[];
            /**
             * Format: reais
             * @description All that is late, in reais.
             */
            outstanding: number;
        };
        /** @description As agreed with the purchase; they never change. */
        AgreedTerms: {
            /** @description Interest a week; 0 splits the amount evenly, in percent. */
            weekly_rate_percent: number;
            /** @description Fine on what a due day left unpaid, once; at most 2, in percent. */
            fine_percent: number;
            /** @description Interest a month on what is late, simple, by the day; at most 1, in percent. */
            late_interest_percent: number;
            /** @description Price of an extension, on what is outstanding; at most 10, in percent. */
            extension_fee_percent: number;
            /** @description By how many days an extension moves the due day. */
            extension_days: number;
            /** @description How often an installment can be extended. */
            extension_limit: number;
            /** @description Share of each installment paid on time that comes back, in percent. */
            cashback_percent: number;
            /** @description What the credit costs in all a month (CET), a twelfth of the year, in percent. */
            cet_percent_month: number;
            /** @description What the credit costs in all a year of 365 days (CET), in percent. */
            cet_percent_year: number;
            /** @description SHA-256 of the contract, as hex; null while there is none. */
            contract_sha256: string | null;
        };
        Amounts: {
            /**
             * Format: reais
             * @description What was bought for, in reais.
             */
            financed: number;
            /**
             * Format: reais
             * @description What was paid of the installments, penalties and fees not counted, in reais.
             */
            paid: number;
            /**
             * Format: reais
             * @description What the installments come to less since something was returned, in reais.
             */
            returned: number;
            /**
             * Format: reais
             * @description What is still to be paid of the installments, in reais.
             */
            outstanding: number;
            /**
             * Format: reais
             * @description Fines and interest as of now, in reais.
             */
            penalties: number;
            /**
             * Format: reais
             * @description Outstanding and penalties, in reais.
             */
            total_due: number;
        };
        ApiKey: {
            /** @description The key. */
            id: string;
            partner: {
                id: string;
                name: string;
            };
            label: string;
            /** @description Its first characters. */
            hint: string;
            scopes: ("public" | "wallet" | "merchant" | "till" | "operator")[];
            /** @description The merchant it is bound to. */
            merchant_id: number | null;
            /** @description The person it belongs to, with the scope `operator`. */
            person_id: string | null;
            origins: string[];
            /** @description Origins that `return_url` of offers made with it may have: https, in the sandbox also http on this machine. */
            return_origins: string[];
            backend: boolean;
            /** @description Requests a minute, 1200 unless set; null: no limit. */
            requests_per_minute: number | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string | null;
            /** Format: date-time */
            revoked_at: string | null;
            /** Format: date-time */
            last_used_at: string | null;
        };
        ApiKeyItem: {
            /** @description The key. */
            id: string;
            partner: {
                id: string;
                name: string;
            };
            label: string;
            /** @description Its first characters. */
            hint: string;
            scopes: ("public" | "wallet" | "merchant" | "till" | "operator")[];
            /** @description The merchant it is bound to. */
            merchant_id: number | null;
            /** @description The person it belongs to, with the scope `operator`. */
            person_id: string | null;
            origins: string[];
            /** @description Origins that `return_url` of offers made with it may have: https, in the sandbox also http on this machine. */
            return_origins: string[];
            backend: boolean;
            /** @description Requests a minute, 1200 unless set; null: no limit. */
            requests_per_minute: number | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string | null;
            /** Format: date-time */
            revoked_at: string | null;
            /** Format: date-time */
            last_used_at: string | null;
            /** @description Slug of the merchant it is bound to. */
            merchant: string | null;
        };
        Approval: {
            id: string;
            /** @enum {unknown} */
            kind: "orphan_refund" | "write_off" | "cashback_adjustment" | "payout" | "limit" | "payout_account" | "credit_policy" | "payment_move";
            /** @description In reais; null where no amount tells how much is at stake. */
            amount: number | null;
            /**
             * @description `failed`: it was approved, and could not be done any more.
             * @enum {unknown}
             */
            status: "waiting" | "approved" | "refused" | "failed" | "expired";
            /** @description What it is about: an id, a hash or a slug. */
            subject: string;
            /** @description Why it was asked for. */
            reason: string | null;
            asked_by: {
                id: string;
                name: string;
            };
            /** Format: date-time */
            asked_at: string;
            decided_by: {
                id: string;
                name: string;
            } | null;
            decided_at: string | null;
            /** @description Why it was refused, or why it could not be done. */
            outcome: string | null;
        };
        ApprovalRefusal: {
            /**
             * Format: text
             * @description Why.
             */
            reason: string;
        };
        ApprovedAct: {
            approval: components["schemas"]["Approval"];
            /** @description What the endpoint of the act answers. */
            result: unknown;
        };
        AssignedOrphan: {
            /** @description The payment in the Pix network. */
            end_to_end_id: string;
            /**
             * Format: reais
             * @description What arrived, in reais.
             */
            value: number;
            customer_id: string;
            checkout_hash: string;
            /**
             * Format: date-time
             * @description As of when it counts.
             */
            received_at: string;
            /**
             * Format: reais
             * @description What of it, or of other payments of the installment, is too much now and goes back, in reais.
             */
            too_much: number;
            installment: components["schemas"]["Installment"];
        };
        AuditTrailEntry: {
            id: number;
            /** Format: date-time */
            at: string;
            /** @description Id of the person, or `command line` and the account on the machine. */
            actor: string;
            /** @description What the person is called. */
            actor_name: string | null;
            /** @description Where it came from. */
            address: string | null;
            /** @description The request, as in our logs. */
            request_id: string | null;
            /** @description The operation of this document, or the words of the command. */
            action: string;
            /** @description What was changed. */
            subject: string;
            /** @description What differed, before. */
            before: Record<string, never> | null;
            /** @description What differs, after. */
            after: Record<string, never> | null;
            reason: string | null;
        };
        CashbackAdjustment: {
            /**
             * Format: reais
             * @description Above zero what the customer gets, below zero what is taken, in reais.
             */
            amount: number;
            /**
             * Format: text
             * @description Why; the customer reads it.
             */
            reason: string;
            /**
             * Format: text
             * @description What you call it, e.g. a ticket: for one customer it counts once.
             */
            reference?: string;
        };
        CashbackReport: {
            /**
             * Format: date
             * @description The report is as of the end of this day in São Paulo; of today, as of now.
             */
            on: string;
            /**
             * Format: reais
             * @description What all customers have together, as the book says, in reais.
             */
            owed: number;
            /** @description What came and went in the month of the day, up to it. */
            month: {
                /**
                 * Format: reais
                 * @description By paying in time, in reais.
                 */
                earned: number;
                /**
                 * Format: reais
                 * @description By inviting, in reais.
                 */
                referral: number;
                /**
                 * Format: reais
                 * @description By the operator, in reais.
                 */
                adjusted: number;
                /**
                 * Format: reais
                 * @description Spent, below zero, in reais.
                 */
                redeemed: number;
                /**
                 * Format: reais
                 * @description Below zero, in reais.
                 */
                expired: number;
                /**
                 * Format: reais
                 * @description Taken back, below zero, in reais.
                 */
                reversed: number;
            };
        };
        CheckoutOrder: {
            /**
             * Format: text
             * @description Id or phone of the customer.
             */
            customer: string;
            /**
             * Format: text
             * @description Slug of the merchant.
             */
            merchant: string;
            /**
             * Format: reais
             * @description What is bought for, in reais.
             */
            amount: number;
            /** @description One a week. */
            installments: number;
            /** Format: text */
            description?: string;
            /** @description Where they are to differ from the usual; weekly rate and cashback are usually those of the merchant’s plan. */
            terms?: {
                /** @description Interest a week; 0 splits the amount evenly, in percent. */
                weekly_rate_percent?: number;
                /** @description Fine on what a due day left unpaid, once; at most 2, in percent. */
                fine_percent?: number;
                /** @description Interest a month on what is late, simple, by the day; at most 1, in percent. */
                late_interest_percent?: number;
                /** @description Price of an extension, on what is outstanding; at most 10, in percent. */
                extension_fee_percent?: number;
                /** @description By how many days an extension moves the due day. */
                extension_days?: number;
                /** @description How often an installment can be extended. */
                extension_limit?: number;
                /** @description Share of each installment paid on time that comes back, in percent. */
                cashback_percent?: number;
            };
            /**
             * Format: date-time
             * @description When it was bought, if not now. At most 24 hours ago; in the sandbox any time.
             */
            purchased_at?: string;
            /** @description Only says what it would come to. */
            dry_run?: boolean;
        };
        ClockMove: {
            /** @description An ISO 8601 duration in weeks, days, hours, minutes, seconds: P7D, PT12H, P1W, -P1D. */
            advance: string;
            /**
             * Format: date-time
             * @description An instant between the years 2000 and 2100.
             */
            now?: string;
        } | {
            /** @description An ISO 8601 duration in weeks, days, hours, minutes, seconds: P7D, PT12H, P1W, -P1D. */
            advance?: string;
            /**
             * Format: date-time
             * @description An instant between the years 2000 and 2100.
             */
            now: string;
        };
        ClockReading: {
            /**
             * Format: date-time
             * @description What time it is for the whole service.
             */
            now: string;
            /** @description How far that is from real time. */
            offset_seconds: number;
        };
        CodeOnItsWay: {
            /** @description To be sent with the code. */
            challenge_id: string;
            /**
             * Format: date-time
             * @description The code works until then.
             */
            expires_at: string;
            /**
             * Format: date-time
             * @description Another can be asked for from then on.
             */
            resend_after: string;
        };
        CodeProof: {
            /**
             * Format: text
             * @description What the request for the code answered.
             */
            challenge_id: string;
            /** @description The six digits of the message. */
            code: string;
        };
        CohortsReport: {
            /**
             * Format: date
             * @description The report is as of the end of this day in São Paulo; of today, as of now.
             */
            on: string;
            /**
             * Format: date-time
             * @description Of a day that is over: when it was worked out from the facts. What is heard of it later is in the days after.
             */
            worked_out_at: string;
            /** @description Weeks in which something was bought, the latest first. */
            data: {
                /**
                 * Format: date
                 * @description The Monday it begins with.
                 */
                week: string;
                purchases: number;
                /**
                 * Format: reais
                 * @description What was bought for, in reais.
                 */
                financed: number;
                /**
                 * Format: reais
                 * @description What was to be paid in all, as agreed, in reais.
                 */
                total: number;
                /**
                 * Format: reais
                 * @description What was paid of the installments, in reais.
                 */
                paid: number;
                /**
                 * Format: reais
                 * @description What was given back for paying early, in reais.
                 */
                discount: number;
                /**
                 * Format: reais
                 * @description What the installments come to less since something was returned, in reais.
                 */
                returned: number;
                /**
                 * Format: reais
                 * @description What is left of the installments, penalties not counted, in reais.
                 */
                outstanding: number;
                /**
                 * Format: reais
                 * @description What of that is late, in reais.
                 */
                overdue: number;
                /**
                 * Format: reais
                 * @description What of it is on purchases that are written off, in reais.
                 */
                written_off: number;
                /** @description What was paid of what is to be paid after returns; null: nothing is. */
                paid_percent: number | null;
                /** @description What is late of the same. */
                overdue_percent: number | null;
            }[];
            total: {
                purchases: number;
                /**
                 * Format: reais
                 * @description What was bought for, in reais.
                 */
                financed: number;
                /**
                 * Format: reais
                 * @description What was to be paid in all, as agreed, in reais.
                 */
                total: number;
                /**
                 * Format: reais
                 * @description What was paid of the installments, in reais.
                 */
                paid: number;
                /**
                 * Format: reais
                 * @description What was given back for paying early, in reais.
                 */
                discount: number;
                /**
                 * Format: reais
                 * @description What the installments come to less since something was returned, in reais.
                 */
                returned: number;
                /**
                 * Format: reais
                 * @description What is left of the installments, penalties not counted, in reais.
                 */
                outstanding: number;
                /**
                 * Format: reais
                 * @description What of that is late, in reais.
                 */
                overdue: number;
                /**
                 * Format: reais
                 * @description What of it is on purchases that are written off, in reais.
                 */
                written_off: number;
                /** @description What was paid of what is to be paid after returns; null: nothing is. */
                paid_percent: number | null;
                /** @description What is late of the same. */
                overdue_percent: number | null;
            };
        };
        CreditApproval: {
            /** @description The customer’s limit from now on, in reais. */
            limit?: number;
            /** Format: text */
            reason?: string;
        };
        CreditDecision: {
            id: string;
            customer_id: string;
            /** @enum {unknown} */
            moment: "signup" | "accept" | "growth" | "late" | "review";
            /**
             * @description As it stands: a person’s answer replaces `review`.
             * @enum {unknown}
             */
            outcome: "approved" | "review" | "declined";
            /**
             * Format: reais
             * @description The customer’s limit by it, in reais.
             */
            limit: number;
            /** @description Codes: docs/credit-decision.md. */
            reasons: string[];
            policy_version: number;
            /** @description What was known. No names. */
            facts: {
                [key: string]: unknown;
            };
            offer_id: string | null;
            /**
             * @description What the shadow would have said.
             * @enum {unknown}
             */
            shadow_outcome: "approved" | "review" | "declined" | null;
            /** Format: date-time */
            decided_at: string;
            /** @description The person who answered the review. */
            answered_by: string | null;
            /** Format: date-time */
            answered_at: string | null;
            answer_reason: string | null;
        };
        /** @description What is decided by: docs/credit-decision.md. */
        CreditPolicy: {
            /** @description The limit of who signs up and is approved, in reais. */
            first_limit: number;
            /** @description From the least to the most. The last step that is reached counts. */
            growth: {
                /** @description Purchases paid to the end, no installment of them late. */
                paid_on_time: number;
                /** @description What those came to, in reais. */
                paid_amount: number;
                /** @description What is offered then, in reais. */
                limit: number;
            }[];
            /** @description From the least days to the most. The last step that is reached counts. */
            late: {
                /** @description The most days late within a year. */
                days: number;
                /** @description What is left of the growth. */
                keep_percent: number;
            }[];
            /** @description Thresholds by fact: a person looks, or it is declined. */
            rules: {
                age_years?: {
                    /** @description Below this number. */
                    review?: number;
                    /** @description Below this number. */
                    declined?: number;
                };
                account_days?: {
                    /** @description Below this number. */
                    review?: number;
                    /** @description Below this number. */
                    declined?: number;
                };
                bureau_score?: {
                    /** @description Below this number. */
                    review?: number;
                    /** @description Below this number. */
                    declined?: number;
                };
                bureau_cpf_irregular?: {
                    /** @description From this number on. */
                    review?: number;
                    /** @description From this number on. */
                    declined?: number;
                };
                days_late?: {
                    /** @description From this number on. */
                    review?: number;
                    /** @description From this number on. */
                    declined?: number;
                };
                worst_days_late?: {
                    /** @description From this number on. */
                    review?: number;
                    /** @description From this number on. */
                    declined?: number;
                };
                refusals_month?: {
                    /** @description From this number on. */
                    review?: number;
                    /** @description From this number on. */
                    declined?: number;
                };
                merchant_loss_percent?: {
                    /** @description From this number on. */
                    review?: number;
                    /** @description From this number on. */
                    declined?: number;
                };
                offers_hour?: {
                    /** @description From this number on. */
                    review?: number;
                    /** @description From this number on. */
                    declined?: number;
                };
                signups_address_day?: {
                    /** @description From this number on. */
                    review?: number;
                    /** @description From this number on. */
                    declined?: number;
                };
                signups_network_day?: {
                    /** @description From this number on. */
                    review?: number;
                    /** @description From this number on. */
                    declined?: number;
                };
                signups_device?: {
                    /** @description From this number on. */
                    review?: number;
                    /** @description From this number on. */
                    declined?: number;
                };
                referral_ring?: {
                    /** @description From this number on. */
                    review?: number;
                    /** @description From this number on. */
                    declined?: number;
                };
                former_member?: {
                    /** @description From this number on. */
                    review?: number;
                    /** @description From this number on. */
                    declined?: number;
                };
            };
            /** @description Signals of fraud by fact. Their weights are added up. */
            signals: {
                age_years?: {
                    /** @description Below this number. */
                    at: number;
                    /** @description How much it counts. */
                    weight: number;
                };
                account_days?: {
                    /** @description Below this number. */
                    at: number;
                    /** @description How much it counts. */
                    weight: number;
                };
                bureau_score?: {
                    /** @description Below this number. */
                    at: number;
                    /** @description How much it counts. */
                    weight: number;
                };
                bureau_cpf_irregular?: {
                    /** @description From this number on. */
                    at: number;
                    /** @description How much it counts. */
                    weight: number;
                };
                days_late?: {
                    /** @description From this number on. */
                    at: number;
                    /** @description How much it counts. */
                    weight: number;
                };
                worst_days_late?: {
                    /** @description From this number on. */
                    at: number;
                    /** @description How much it counts. */
                    weight: number;
                };
                refusals_month?: {
                    /** @description From this number on. */
                    at: number;
                    /** @description How much it counts. */
                    weight: number;
                };
                merchant_loss_percent?: {
                    /** @description From this number on. */
                    at: number;
                    /** @description How much it counts. */
                    weight: number;
                };
                offers_hour?: {
                    /** @description From this number on. */
                    at: number;
                    /** @description How much it counts. */
                    weight: number;
                };
                signups_address_day?: {
                    /** @description From this number on. */
                    at: number;
                    /** @description How much it counts. */
                    weight: number;
                };
                signups_network_day?: {
                    /** @description From this number on. */
                    at: number;
                    /** @description How much it counts. */
                    weight: number;
                };
                signups_device?: {
                    /** @description From this number on. */
                    at: number;
                    /** @description How much it counts. */
                    weight: number;
                };
                referral_ring?: {
                    /** @description From this number on. */
                    at: number;
                    /** @description How much it counts. */
                    weight: number;
                };
                former_member?: {
                    /** @description From this number on. */
                    at: number;
                    /** @description How much it counts. */
                    weight: number;
                };
            };
            /** @description From this sum of weights on a person looks. */
            review_weight: number;
            /** @description From this sum of weights on it is declined. */
            decline_weight: number;
            /** @description Caps of single merchants. */
            merchant_caps: {
                merchant: string;
                /** @description What a customer may owe there at most. */
                limit: number;
            }[];
            /** @description For how many days what the bureau said counts. */
            bureau_days: number;
        };
        CreditPolicyForm: {
            /** @description Counts from now on. */
            policy?: {
                /** @description The limit of who signs up and is approved, in reais. */
                first_limit: number;
                /** @description From the least to the most. The last step that is reached counts. */
                growth: {
                    /** @description Purchases paid to the end, no installment of them late. */
                    paid_on_time: number;
                    /** @description What those came to, in reais. */
                    paid_amount: number;
                    /** @description What is offered then, in reais. */
                    limit: number;
                }[];
                /** @description From the least days to the most. The last step that is reached counts. */
                late: {
                    /** @description The most days late within a year. */
                    days: number;
                    /** @description What is left of the growth. */
                    keep_percent: number;
                }[];
                /** @description Thresholds by fact: a person looks, or it is declined. */
                rules: {
                    age_years?: {
                        /** @description Below this number. */
                        review?: number;
                        /** @description Below this number. */
                        declined?: number;
                    };
                    account_days?: {
                        /** @description Below this number. */
                        review?: number;
                        /** @description Below this number. */
                        declined?: number;
                    };
                    bureau_score?: {
                        /** @description Below this number. */
                        review?: number;
                        /** @description Below this number. */
                        declined?: number;
                    };
                    bureau_cpf_irregular?: {
                        /** @description From this number on. */
                        review?: number;
                        /** @description From this number on. */
                        declined?: number;
                    };
                    days_late?: {
                        /** @description From this number on. */
                        review?: number;
                        /** @description From this number on. */
                        declined?: number;
                    };
                    worst_days_late?: {
                        /** @description From this number on. */
                        review?: number;
                        /** @description From this number on. */
                        declined?: number;
                    };
                    refusals_month?: {
                        /** @description From this number on. */
                        review?: number;
                        /** @description From this number on. */
                        declined?: number;
                    };
                    merchant_loss_percent?: {
                        /** @description From this number on. */
                        review?: number;
                        /** @description From this number on. */
                        declined?: number;
                    };
                    offers_hour?: {
                        /** @description From this number on. */
                        review?: number;
                        /** @description From this number on. */
                        declined?: number;
                    };
                    signups_address_day?: {
                        /** @description From this number on. */
                        review?: number;
                        /** @description From this number on. */
                        declined?: number;
                    };
                    signups_network_day?: {
                        /** @description From this number on. */
                        review?: number;
                        /** @description From this number on. */
                        declined?: number;
                    };
                    signups_device?: {
                        /** @description From this number on. */
                        review?: number;
                        /** @description From this number on. */
                        declined?: number;
                    };
                    referral_ring?: {
                        /** @description From this number on. */
                        review?: number;
                        /** @description From this number on. */
                        declined?: number;
                    };
                    former_member?: {
                        /** @description From this number on. */
                        review?: number;
                        /** @description From this number on. */
                        declined?: number;
                    };
                };
                /** @description Signals of fraud by fact. Their weights are added up. */
                signals: {
                    age_years?: {
                        /** @description Below this number. */
                        at: number;
                        /** @description How much it counts. */
                        weight: number;
                    };
                    account_days?: {
                        /** @description Below this number. */
                        at: number;
                        /** @description How much it counts. */
                        weight: number;
                    };
                    bureau_score?: {
                        /** @description Below this number. */
                        at: number;
                        /** @description How much it counts. */
                        weight: number;
                    };
                    bureau_cpf_irregular?: {
                        /** @description From this number on. */
                        at: number;
                        /** @description How much it counts. */
                        weight: number;
                    };
                    days_late?: {
                        /** @description From this number on. */
                        at: number;
                        /** @description How much it counts. */
                        weight: number;
                    };
                    worst_days_late?: {
                        /** @description From this number on. */
                        at: number;
                        /** @description How much it counts. */
                        weight: number;
                    };
                    refusals_month?: {
                        /** @description From this number on. */
                        at: number;
                        /** @description How much it counts. */
                        weight: number;
                    };
                    merchant_loss_percent?: {
                        /** @description From this number on. */
                        at: number;
                        /** @description How much it counts. */
                        weight: number;
                    };
                    offers_hour?: {
                        /** @description From this number on. */
                        at: number;
                        /** @description How much it counts. */
                        weight: number;
                    };
                    signups_address_day?: {
                        /** @description From this number on. */
                        at: number;
                        /** @description How much it counts. */
                        weight: number;
                    };
                    signups_network_day?: {
                        /** @description From this number on. */
                        at: number;
                        /** @description How much it counts. */
                        weight: number;
                    };
                    signups_device?: {
                        /** @description From this number on. */
                        at: number;
                        /** @description How much it counts. */
                        weight: number;
                    };
                    referral_ring?: {
                        /** @description From this number on. */
                        at: number;
                        /** @description How much it counts. */
                        weight: number;
                    };
                    former_member?: {
                        /** @description From this number on. */
                        at: number;
                        /** @description How much it counts. */
                        weight: number;
                    };
                };
                /** @description From this sum of weights on a person looks. */
                review_weight: number;
                /** @description From this sum of weights on it is declined. */
                decline_weight: number;
                /** @description Caps of single merchants. */
                merchant_caps: {
                    merchant: string;
                    /** @description What a customer may owe there at most. */
                    limit: number;
                }[];
                /** @description For how many days what the bureau said counts. */
                bureau_days: number;
            };
            /** @description null: none from now on. */
            shadow?: {
                /** @description The limit of who signs up and is approved, in reais. */
                first_limit: number;
                /** @description From the least to the most. The last step that is reached counts. */
                growth: {
                    /** @description Purchases paid to the end, no installment of them late. */
                    paid_on_time: number;
                    /** @description What those came to, in reais. */
                    paid_amount: number;
                    /** @description What is offered then, in reais. */
                    limit: number;
                }[];
                /** @description From the least days to the most. The last step that is reached counts. */
                late: {
                    /** @description The most days late within a year. */
                    days: number;
                    /** @description What is left of the growth. */
                    keep_percent: number;
                }[];
                /** @description Thresholds by fact: a person looks, or it is declined. */
                rules: {
                    age_years?: {
                        /** @description Below this number. */
                        review?: number;
                        /** @description Below this number. */
                        declined?: number;
                    };
                    account_days?: {
                        /** @description Below this number. */
                        review?: number;
                        /** @description Below this number. */
                        declined?: number;
                    };
                    bureau_score?: {
                        /** @description Below this number. */
                        review?: number;
                        /** @description Below this number. */
                        declined?: number;
                    };
                    bureau_cpf_irregular?: {
                        /** @description From this number on. */
                        review?: number;
                        /** @description From this number on. */
                        declined?: number;
                    };
                    days_late?: {
                        /** @description From this number on. */
                        review?: number;
                        /** @description From this number on. */
                        declined?: number;
                    };
                    worst_days_late?: {
                        /** @description From this number on. */
                        review?: number;
                        /** @description From this number on. */
                        declined?: number;
                    };
                    refusals_month?: {
                        /** @description From this number on. */
                        review?: number;
                        /** @description From this number on. */
                        declined?: number;
                    };
                    merchant_loss_percent?: {
                        /** @description From this number on. */
                        review?: number;
                        /** @description From this number on. */
                        declined?: number;
                    };
                    offers_hour?: {
                        /** @description From this number on. */
                        review?: number;
                        /** @description From this number on. */
                        declined?: number;
                    };
                    signups_address_day?: {
                        /** @description From this number on. */
                        review?: number;
                        /** @description From this number on. */
                        declined?: number;
                    };
                    signups_network_day?: {
                        /** @description From this number on. */
                        review?: number;
                        /** @description From this number on. */
                        declined?: number;
                    };
                    signups_device?: {
                        /** @description From this number on. */
                        review?: number;
                        /** @description From this number on. */
                        declined?: number;
                    };
                    referral_ring?: {
                        /** @description From this number on. */
                        review?: number;
                        /** @description From this number on. */
                        declined?: number;
                    };
                    former_member?: {
                        /** @description From this number on. */
                        review?: number;
                        /** @description From this number on. */
                        declined?: number;
                    };
                };
                /** @description Signals of fraud by fact. Their weights are added up. */
                signals: {
                    age_years?: {
                        /** @description Below this number. */
                        at: number;
                        /** @description How much it counts. */
                        weight: number;
                    };
                    account_days?: {
                        /** @description Below this number. */
                        at: number;
                        /** @description How much it counts. */
                        weight: number;
                    };
                    bureau_score?: {
                        /** @description Below this number. */
                        at: number;
                        /** @description How much it counts. */
                        weight: number;
                    };
                    bureau_cpf_irregular?: {
                        /** @description From this number on. */
                        at: number;
                        /** @description How much it counts. */
                        weight: number;
                    };
                    days_late?: {
                        /** @description From this number on. */
                        at: number;
                        /** @description How much it counts. */
                        weight: number;
                    };
                    worst_days_late?: {
                        /** @description From this number on. */
                        at: number;
                        /** @description How much it counts. */
                        weight: number;
                    };
                    refusals_month?: {
                        /** @description From this number on. */
                        at: number;
                        /** @description How much it counts. */
                        weight: number;
                    };
                    merchant_loss_percent?: {
                        /** @description From this number on. */
                        at: number;
                        /** @description How much it counts. */
                        weight: number;
                    };
                    offers_hour?: {
                        /** @description From this number on. */
                        at: number;
                        /** @description How much it counts. */
                        weight: number;
                    };
                    signups_address_day?: {
                        /** @description From this number on. */
                        at: number;
                        /** @description How much it counts. */
                        weight: number;
                    };
                    signups_network_day?: {
                        /** @description From this number on. */
                        at: number;
                        /** @description How much it counts. */
                        weight: number;
                    };
                    signups_device?: {
                        /** @description From this number on. */
                        at: number;
                        /** @description How much it counts. */
                        weight: number;
                    };
                    referral_ring?: {
                        /** @description From this number on. */
                        at: number;
                        /** @description How much it counts. */
                        weight: number;
                    };
                    former_member?: {
                        /** @description From this number on. */
                        at: number;
                        /** @description How much it counts. */
                        weight: number;
                    };
                };
                /** @description From this sum of weights on a person looks. */
                review_weight: number;
                /** @description From this sum of weights on it is declined. */
                decline_weight: number;
                /** @description Caps of single merchants. */
                merchant_caps: {
                    merchant: string;
                    /** @description What a customer may owe there at most. */
                    limit: number;
                }[];
                /** @description For how many days what the bureau said counts. */
                bureau_days: number;
            } | null;
            /**
             * Format: text
             * @description Why, for the trail.
             */
            reason?: string;
        };
        CreditPolicyInForce: {
            /** @description 1 is the policy that is built in. */
            version: number;
            policy: components["schemas"]["CreditPolicy"];
            /** @description Who has set it; null for the one that is built in. */
            set_by: string | null;
            /** Format: date-time */
            set_at: string | null;
            /** @description Asked beside it, and what it would have decided since. */
            shadow: {
                /** @description 1 is the policy that is built in. */
                version: number;
                policy: components["schemas"]["CreditPolicy"];
                /** @description Who has set it; null for the one that is built in. */
                set_by: string | null;
                /** Format: date-time */
                set_at: string | null;
                figures: components["schemas"]["CreditPolicyTried"];
            } | null;
        };
        CreditPolicyTried: {
            /** @description How many were compared. */
            decisions: number;
            /** @description Decided the same. */
            same: number;
            /** @description Those that differ, by outcome and moment. */
            changes: {
                /**
                 * @description What was decided.
                 * @enum {unknown}
                 */
                from: "approved" | "review" | "declined";
                /**
                 * @description What it would have been.
                 * @enum {unknown}
                 */
                to: "approved" | "review" | "declined";
                /** @enum {unknown} */
                moment: "signup" | "accept" | "growth" | "late" | "review";
                decisions: number;
                /**
                 * Format: reais
                 * @description By how much the limits differ together, in reais.
                 */
                limit_difference: number;
            }[];
            /** @description What those came to that were approved and would not have been. */
            refused: {
                /** @description What was bought then. */
                purchases: number;
                /**
                 * Format: reais
                 * @description What was sold, in reais.
                 */
                sold: number;
                /**
                 * Format: reais
                 * @description What of it was paid: refused, it would have been lost business, in reais.
                 */
                paid: number;
                /**
                 * Format: reais
                 * @description What of it is late now, in reais.
                 */
                late: number;
                /**
                 * Format: reais
                 * @description What of it was lost: refused, it would have been saved, in reais.
                 */
                written_off: number;
            };
        };
        CreditPolicyTry: {
            /** @description To be tried. */
            policy: {
                /** @description The limit of who signs up and is approved, in reais. */
                first_limit: number;
                /** @description From the least to the most. The last step that is reached counts. */
                growth: {
                    /** @description Purchases paid to the end, no installment of them late. */
                    paid_on_time: number;
                    /** @description What those came to, in reais. */
                    paid_amount: number;
                    /** @description What is offered then, in reais. */
                    limit: number;
                }[];
                /** @description From the least days to the most. The last step that is reached counts. */
                late: {
                    /** @description The most days late within a year. */
                    days: number;
                    /** @description What is left of the growth. */
                    keep_percent: number;
                }[];
                /** @description Thresholds by fact: a person looks, or it is declined. */
                rules: {
                    age_years?: {
                        /** @description Below this number. */
                        review?: number;
                        /** @description Below this number. */
                        declined?: number;
                    };
                    account_days?: {
                        /** @description Below this number. */
                        review?: number;
                        /** @description Below this number. */
                        declined?: number;
                    };
                    bureau_score?: {
                        /** @description Below this number. */
                        review?: number;
                        /** @description Below this number. */
                        declined?: number;
                    };
                    bureau_cpf_irregular?: {
                        /** @description From this number on. */
                        review?: number;
                        /** @description From this number on. */
                        declined?: number;
                    };
                    days_late?: {
                        /** @description From this number on. */
                        review?: number;
                        /** @description From this number on. */
                        declined?: number;
                    };
                    worst_days_late?: {
                        /** @description From this number on. */
                        review?: number;
                        /** @description From this number on. */
                        declined?: number;
                    };
                    refusals_month?: {
                        /** @description From this number on. */
                        review?: number;
                        /** @description From this number on. */
                        declined?: number;
                    };
                    merchant_loss_percent?: {
                        /** @description From this number on. */
                        review?: number;
                        /** @description From this number on. */
                        declined?: number;
                    };
                    offers_hour?: {
                        /** @description From this number on. */
                        review?: number;
                        /** @description From this number on. */
                        declined?: number;
                    };
                    signups_address_day?: {
                        /** @description From this number on. */
                        review?: number;
                        /** @description From this number on. */
                        declined?: number;
                    };
                    signups_network_day?: {
                        /** @description From this number on. */
                        review?: number;
                        /** @description From this number on. */
                        declined?: number;
                    };
                    signups_device?: {
                        /** @description From this number on. */
                        review?: number;
                        /** @description From this number on. */
                        declined?: number;
                    };
                    referral_ring?: {
                        /** @description From this number on. */
                        review?: number;
                        /** @description From this number on. */
                        declined?: number;
                    };
                    former_member?: {
                        /** @description From this number on. */
                        review?: number;
                        /** @description From this number on. */
                        declined?: number;
                    };
                };
                /** @description Signals of fraud by fact. Their weights are added up. */
                signals: {
                    age_years?: {
                        /** @description Below this number. */
                        at: number;
                        /** @description How much it counts. */
                        weight: number;
                    };
                    account_days?: {
                        /** @description Below this number. */
                        at: number;
                        /** @description How much it counts. */
                        weight: number;
                    };
                    bureau_score?: {
                        /** @description Below this number. */
                        at: number;
                        /** @description How much it counts. */
                        weight: number;
                    };
                    bureau_cpf_irregular?: {
                        /** @description From this number on. */
                        at: number;
                        /** @description How much it counts. */
                        weight: number;
                    };
                    days_late?: {
                        /** @description From this number on. */
                        at: number;
                        /** @description How much it counts. */
                        weight: number;
                    };
                    worst_days_late?: {
                        /** @description From this number on. */
                        at: number;
                        /** @description How much it counts. */
                        weight: number;
                    };
                    refusals_month?: {
                        /** @description From this number on. */
                        at: number;
                        /** @description How much it counts. */
                        weight: number;
                    };
                    merchant_loss_percent?: {
                        /** @description From this number on. */
                        at: number;
                        /** @description How much it counts. */
                        weight: number;
                    };
                    offers_hour?: {
                        /** @description From this number on. */
                        at: number;
                        /** @description How much it counts. */
                        weight: number;
                    };
                    signups_address_day?: {
                        /** @description From this number on. */
                        at: number;
                        /** @description How much it counts. */
                        weight: number;
                    };
                    signups_network_day?: {
                        /** @description From this number on. */
                        at: number;
                        /** @description How much it counts. */
                        weight: number;
                    };
                    signups_device?: {
                        /** @description From this number on. */
                        at: number;
                        /** @description How much it counts. */
                        weight: number;
                    };
                    referral_ring?: {
                        /** @description From this number on. */
                        at: number;
                        /** @description How much it counts. */
                        weight: number;
                    };
                    former_member?: {
                        /** @description From this number on. */
                        at: number;
                        /** @description How much it counts. */
                        weight: number;
                    };
                };
                /** @description From this sum of weights on a person looks. */
                review_weight: number;
                /** @description From this sum of weights on it is declined. */
                decline_weight: number;
                /** @description Caps of single merchants. */
                merchant_caps: {
                    merchant: string;
                    /** @description What a customer may owe there at most. */
                    limit: number;
                }[];
                /** @description For how many days what the bureau said counts. */
                bureau_days: number;
            };
        };
        CreditRefusal: {
            /**
             * Format: text
             * @description Why; the customer reads it.
             */
            reason: string;
        };
        CustomerChange: {
            /** Format: text */
            name?: string;
            /** Format: email */
            email?: string;
            /**
             * Format: phone
             * @description International format (E.164), or as people in Brazil write it: 11 98765-0001. Answered in E.164.
             */
            phone?: string;
            /**
             * Format: reais
             * @description How much may be owed at most, in reais. Needs the role `finance`.
             */
            credit_limit?: number;
            /**
             * Format: text
             * @description Why: it is kept in the trail.
             */
            reason?: string;
        };
        CustomerExport: {
            customer_id: string;
            /** Format: date-time */
            exported_at: string;
            /** @description By table, also those that hold nothing on the customer. */
            tables: {
                [key: string]: Record<string, never>[];
            };
        };
        CustomerForm: {
            /** Format: text */
            name: string;
            /**
             * Format: phone
             * @description International format (E.164), or as people in Brazil write it: 11 98765-0001. Answered in E.164.
             */
            phone: string;
            /** Format: email */
            email: string;
            /**
             * Format: cpf
             * @description With or without punctuation. It is never shown again.
             */
            cpf: string;
            /**
             * Format: birth-date
             * @description YYYY-MM-DD.
             */
            birth_date?: string;
            /**
             * Format: reais
             * @description How much may be owed at most, in reais; 0 unless given.
             */
            credit_limit?: number;
            /** @description Without one the customer logs in by code, and can set one. */
            password?: string;
            /**
             * Format: text
             * @description Of the customer who invited this one.
             */
            referral_code?: string;
        };
        CustomerItem: {
            id: string;
            name: string;
            phone: string;
            email: string;
            /** @description The taxpayer number, masked. */
            cpf: string;
            /** Format: date-time */
            created_at: string;
            credit: {
                /**
                 * Format: reais
                 * @description How much may be owed at most, in reais.
                 */
                limit: number;
                /**
                 * Format: reais
                 * @description What is owed on all purchases, in reais.
                 */
                used: number;
                /**
                 * Format: reais
                 * @description How much can still be bought for, in reais.
                 */
                available: number;
            };
            /** @description What others register with when this customer invites them. */
            referral_code: string;
            /**
             * Format: date-time
             * @description Since when no login is let in, if so.
             */
            locked_at: string | null;
            /**
             * Format: date-time
             * @description Since when nothing tells who it was, if so.
             */
            erased_at: string | null;
            overdue: {
                /**
                 * Format: reais
                 * @description What is late of all installments, penalties not counted, in reais.
                 */
                amount: number;
                /**
                 * Format: date
                 * @description The earliest day on which something should have been paid; null when nothing is late.
                 */
                since: string | null;
            };
        };
        ErasureForm: {
            /**
             * Format: text
             * @description Why: it is kept in the trail. Name nobody in it.
             */
            reason: string;
        };
        FactorAdded: {
            /** @description With the first factor: each works once in place of it. They are not shown again. */
            recovery_codes: string[];
        };
        ImportOutcome: {
            added: number;
            changed: number;
            /** @description Lines that say what is there already. */
            unchanged: number;
            /** @description Lines that are wrong: of a dry run only, otherwise nothing is imported. */
            bad: number;
            /** @description The first 200, in the order of the file. */
            changes: {
                /** @description Slug or id. */
                key: string;
                is_new: boolean;
                fields: {
                    name: string;
                    /** @description As a file has it. */
                    before: unknown;
                    /** @description As a file has it. */
                    after: unknown;
                }[];
            }[];
            /** @description The first 200. */
            faults: {
                line: number;
                message: string;
            }[];
        };
        /** @description By the day on which it was written down in the book. */
        IncomeReport: {
            /**
             * Format: date
             * @description The report is as of the end of this day in São Paulo; of today, as of now.
             */
            on: string;
            month: {
                /**
                 * Format: reais
                 * @description The price of credit, when it is agreed, less discounts for paying early, in reais.
                 */
                interest: number;
                /**
                 * Format: reais
                 * @description Fines and late interest that were paid, in reais.
                 */
                penalties: number;
                /**
                 * Format: reais
                 * @description Fees of extensions, in reais.
                 */
                extensions: number;
                /**
                 * Format: reais
                 * @description What merchants paid, in reais.
                 */
                merchant_fees: number;
                /**
                 * Format: reais
                 * @description What cashback cost, below zero, in reais.
                 */
                cashback: number;
                /**
                 * Format: reais
                 * @description What was written off and not paid since, below zero, in reais.
                 */
                losses: number;
                /**
                 * Format: reais
                 * @description All of it, in reais.
                 */
                total: number;
            };
            ever: {
                /**
                 * Format: reais
                 * @description The price of credit, when it is agreed, less discounts for paying early, in reais.
                 */
                interest: number;
                /**
                 * Format: reais
                 * @description Fines and late interest that were paid, in reais.
                 */
                penalties: number;
                /**
                 * Format: reais
                 * @description Fees of extensions, in reais.
                 */
                extensions: number;
                /**
                 * Format: reais
                 * @description What merchants paid, in reais.
                 */
                merchant_fees: number;
                /**
                 * Format: reais
                 * @description What cashback cost, below zero, in reais.
                 */
                cashback: number;
                /**
                 * Format: reais
                 * @description What was written off and not paid since, below zero, in reais.
                 */
                losses: number;
                /**
                 * Format: reais
                 * @description All of it, in reais.
                 */
                total: number;
            };
        };
        Installment: {
            id: string;
            number: number;
            /**
             * Format: date
             * @description The due day, extensions included, in São Paulo.
             */
            due_on: string;
            /**
             * Format: date
             * @description The next bank business day: until then nothing is late, in São Paulo.
             */
            effective_due_on: string;
            /**
             * @description `overdue` from the day after the effective due day, while something is owed, and while nothing but penalties is.
             * @enum {unknown}
             */
            status: "open" | "overdue" | "paid";
            /**
             * Format: reais
             * @description As agreed, in reais.
             */
            amount: number;
            /**
             * Format: reais
             * @description What was paid of the amount, in reais.
             */
            paid: number;
            /**
             * Format: reais
             * @description What was given back for paying early, in reais.
             */
            discount: number;
            /**
             * Format: reais
             * @description What it comes to less since something was returned; by rounding the last one may come to some centavos more, in reais.
             */
            returned: number;
            /**
             * Format: reais
             * @description What is left of the amount, in reais.
             */
            outstanding: number;
            penalty: {
                /**
                 * Format: reais
                 * @description Fine not paid yet, in reais.
                 */
                fine: number;
                /**
                 * Format: reais
                 * @description Interest not paid yet, in reais.
                 */
                interest: number;
                /**
                 * Format: reais
                 * @description Both, in reais.
                 */
                total: number;
                /** @description Days since the effective due day. */
                days_late: number;
            };
            /** @description What was paid on top of the amount, less what went back. */
            charges_paid: {
                /**
                 * Format: reais
                 * @description Fine, in reais.
                 */
                fine: number;
                /**
                 * Format: reais
                 * @description Interest, in reais.
                 */
                interest: number;
                /**
                 * Format: reais
                 * @description Price of extensions, in reais.
                 */
                extension_fee: number;
            };
            /**
             * Format: reais
             * @description Outstanding and penalty, in reais.
             */
            total_due: number;
            /** Format: date-time */
            paid_at: string | null;
            /** @description How often it was extended. */
            extensions: number;
            /**
             * Format: reais
             * @description What it earns if it is settled by its effective due day: nothing on what was returned or paid with cashback. 0 once it is paid or late, in reais.
             */
            cashback_if_on_time: number;
            /** @description What can be generated now, and for how much. */
            pix_options: ({
                /** @enum {unknown} */
                type: "settle" | "settle_with_penalty";
                /**
                 * Format: reais
                 * @description What it costs now, in reais.
                 */
                value: number;
            } | {
                /** @constant */
                type: "settle_partial";
                /**
                 * Format: reais
                 * @description The least, in reais.
                 */
                min: number;
                /**
                 * Format: reais
                 * @description The most, which settles it, in reais.
                 */
                max: number;
            } | {
                /** @constant */
                type: "extend";
                /**
                 * Format: reais
                 * @description What it costs now, in reais.
                 */
                value: number;
                /**
                 * Format: date
                 * @description The due day if it is paid today, in São Paulo.
                 */
                due_on: string;
            })[];
            /** @description Its debit, if one was asked for. */
            autopay: {
                /**
                 * @description `scheduled`: the bank debits it on that day. `trying`: it refused, and tries again on that day. `failed`: it is to be paid by code.
                 * @enum {unknown}
                 */
                status: "scheduled" | "trying" | "paid" | "failed";
                /**
                 * Format: date
                 * @description When it is debited, or was last, in São Paulo.
                 */
                on: string;
                /** @description On how many days the bank tried. */
                tries: number;
                /** @description What the bank said last, in words for the customer, in Portuguese. */
                reason: string | null;
            } | null;
        };
        LeadMerchant: {
            merchant: components["schemas"]["StaffMerchant"];
            owner: components["schemas"]["MerchantMember"];
        };
        LeadMerchantForm: {
            /** @description Identifies the merchant in addresses. */
            slug?: string;
            name?: string;
            /** @description Slug of its category. */
            category: string;
            description?: string | null;
            /** @description A web address, or a path under /media/. */
            logo_url?: string | null;
            city?: string | null;
            /** @description Two letters, e.g. SP. */
            state?: string | null;
            website?: string | null;
            /** @description Whether the catalog shows it. */
            listed?: boolean;
            plan?: {
                /** @description Interest a week. At most four decimals. */
                weekly_rate_percent?: number;
                max_installments?: number;
                /**
                 * Format: reais
                 * @description The least a purchase may be for.
                 */
                min_amount?: number;
                /**
                 * Format: reais
                 * @description The most.
                 */
                max_amount?: number;
                /** @description What of each installment paid on time comes back to the customer. At most four decimals. */
                cashback_percent?: number;
                /** @description What the operator keeps of a sale. At most four decimals. */
                merchant_fee_percent?: number;
                /** @description Business days until a sale is paid out. */
                payout_days?: number;
            };
            /** @description Who leads the merchant; what is left out comes from the form. */
            owner?: {
                /** Format: text */
                name?: string;
                /**
                 * Format: phone
                 * @description International format (E.164), or as people in Brazil write it: 11 98765-0001. Answered in E.164.
                 */
                phone?: string;
            };
        };
        ListPagination: {
            /** @description This page. */
            page: number;
            /** @description How many to a page. */
            limit: number;
            /** @description How many there are on all pages. */
            total: number;
            /** @description How many pages there are. */
            pages: number;
            /** @description There are more than 10,000. `total` and the totals are those of some minutes ago; before that, `total` is an estimate and there are no totals. */
            estimated?: boolean;
            /** @description Send it as `after` for the next page. */
            next?: string;
            /** @description Send it as `before` for the page before. */
            prev?: string;
        };
        Media: {
            /** @description Made of what is in it: the same picture has the same name. */
            name: string;
            /** @description For `logo_url` and `cover_url`, and to link to in a post. */
            url: string;
            type: string;
            /** @description Bytes. */
            size: number;
            /** @description Pixels. Null where an SVG does not say. */
            width: number | null;
            height: number | null;
            /** @description How many merchants and posts show it. */
            uses: number;
            /** Format: date-time */
            uploaded_at: string;
        };
        MemberForm: {
            /** Format: text */
            name: string;
            /**
             * Format: phone
             * @description International format (E.164), or as people in Brazil write it: 11 98765-0001. Answered in E.164.
             */
            phone: string;
            /**
             * @description `clerk`: quotes, offers, sees the sales of the day and those they look up; `owner`: everything of the merchant.
             * @enum {unknown}
             */
            role: "clerk" | "owner";
            /**
             * Format: reais
             * @description A clerk’s offers are for no more, in reais; null: no bound. It does not bind an owner.
             */
            max_amount?: number | null;
            /** @description Whether a clerk may take goods back. An owner always may. */
            may_return?: boolean;
        };
        MerchantMember: {
            /** @description The member. */
            id: string;
            name: string;
            phone: string;
            /**
             * @description `clerk`: quotes, offers, sees the sales of the day and those they look up; `owner`: everything of the merchant.
             * @enum {unknown}
             */
            role: "clerk" | "owner";
            /**
             * Format: reais
             * @description A clerk’s offers are for no more, in reais; null: no bound. It does not bind an owner.
             */
            max_amount: number | null;
            /** @description Whether a clerk may take goods back. An owner always may. */
            may_return: boolean;
            /** @enum {unknown} */
            status: "active" | "removed";
            /** Format: date-time */
            created_at: string;
        };
        MerchantsReport: {
            /**
             * Format: date
             * @description The report is as of the end of this day in São Paulo; of today, as of now.
             */
            on: string;
            /** @description Those who are owed something, the most first. */
            data: {
                merchant: string;
                name: string;
                /**
                 * Format: reais
                 * @description In no payout yet, in reais.
                 */
                owed: number;
                /**
                 * Format: reais
                 * @description What of that is due, in reais.
                 */
                due: number;
                /**
                 * Format: reais
                 * @description In payouts of which the bank has not told yet, in reais.
                 */
                in_payouts: number;
            }[];
            total: {
                /**
                 * Format: reais
                 * @description In no payout yet, in reais.
                 */
                owed: number;
                /**
                 * Format: reais
                 * @description What of that is due, in reais.
                 */
                due: number;
                /**
                 * Format: reais
                 * @description In payouts of which the bank has not told yet, in reais.
                 */
                in_payouts: number;
            };
        };
        MovedPayment: {
            id: string;
            /** @description The payment in the Pix network. */
            end_to_end_id: string;
            /**
             * Format: reais
             * @description What arrived, in reais.
             */
            value: number;
            /**
             * Format: date-time
             * @description As of when it counts for the other installment.
             */
            received_at: string;
            /**
             * Format: reais
             * @description What of it is too much there and goes back, in reais.
             */
            too_much: number;
            /** @description What it had paid: owed again. */
            from: {
                customer_id: string;
                checkout_hash: string;
                installment: components["schemas"]["Installment"];
            };
            /** @description What it pays from now on. */
            to: {
                customer_id: string;
                checkout_hash: string;
                installment: components["schemas"]["Installment"];
            };
        };
        NewApiKey: {
            /** @description The key. */
            id: string;
            partner: {
                id: string;
                name: string;
            };
            label: string;
            /** @description Its first characters. */
            hint: string;
            scopes: ("public" | "wallet" | "merchant" | "till" | "operator")[];
            /** @description The merchant it is bound to. */
            merchant_id: number | null;
            /** @description The person it belongs to, with the scope `operator`. */
            person_id: string | null;
            origins: string[];
            /** @description Origins that `return_url` of offers made with it may have: https, in the sandbox also http on this machine. */
            return_origins: string[];
            backend: boolean;
            /** @description Requests a minute, 1200 unless set; null: no limit. */
            requests_per_minute: number | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string | null;
            /** Format: date-time */
            revoked_at: string | null;
            /** Format: date-time */
            last_used_at: string | null;
            /** @description The key itself. It is not shown again. */
            key: string;
        };
        NewStaffMember: {
            /** @description The person. */
            id: string;
            name: string;
            /**
             * @description `viewer` reads; `content` also changes catalog and leads; `support` also customers, but not limits; `finance` also limits, purchases, returns, refunds, payouts; `admin` everything.
             * @enum {unknown}
             */
            role: "viewer" | "content" | "support" | "finance" | "admin";
            /** @description What they sign in with at the back office; null: not yet. */
            email: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            removed_at: string | null;
            /** @description The key. It is not shown again. */
            key: string;
            /** @description Where the person chooses e-mail, password and second factor. It is not shown again. */
            invite_url: string;
            /** Format: date-time */
            invite_expires_at: string;
        };
        NewTotp: {
            /** @description In base32, to be typed. */
            secret: string;
            /** @description To be shown as a QR code. */
            uri: string;
        };
        OperatorCheckout: {
            /** @description null in a dry run. */
            hash: string | null;
            /**
             * @description `overdue` from the day after the effective due day, while something is owed, and while nothing but penalties is.
             * @enum {unknown}
             */
            status: "open" | "overdue" | "paid";
            merchant: {
                slug: string;
                name: string;
                logo_url: string | null;
            };
            description: string | null;
            /** Format: date-time */
            purchased_at: string;
            amounts: components["schemas"]["Amounts"];
            installments_total: number;
            installments_paid: number;
            /**
             * Format: date
             * @description The earliest due day of what is not paid.
             */
            next_due_on: string | null;
            /**
             * Format: date-time
             * @description When all of it was returned.
             */
            returned_at: string | null;
            customer_id: string;
            /**
             * Format: date-time
             * @description When it was written off: in the book it is a loss, and owed all the same.
             */
            written_off_at: string | null;
            /** @description Whether its installments are debited; null: nobody asked for it. */
            autopay: {
                /**
                 * @description How the authorisation of debits stands: see /wallet/checkouts/{hash}/autopay.
                 * @enum {unknown}
                 */
                status: "pending" | "active" | "rejected" | "expired" | "ended";
            } | null;
            terms: components["schemas"]["AgreedTerms"];
            installments: {
                /** @description null in a dry run. */
                id: string | null;
                number: number;
                /**
                 * Format: date
                 * @description The due day, extensions included, in São Paulo.
                 */
                due_on: string;
                /**
                 * Format: date
                 * @description The next bank business day: until then nothing is late, in São Paulo.
                 */
                effective_due_on: string;
                /**
                 * @description `overdue` from the day after the effective due day, while something is owed, and while nothing but penalties is.
                 * @enum {unknown}
                 */
                status: "open" | "overdue" | "paid";
                /**
                 * Format: reais
                 * @description As agreed, in reais.
                 */
                amount: number;
                /**
                 * Format: reais
                 * @description What was paid of the amount, in reais.
                 */
                paid: number;
                /**
                 * Format: reais
                 * @description What was given back for paying early, in reais.
                 */
                discount: number;
                /**
                 * Format: reais
                 * @description What it comes to less since something was returned; by rounding the last one may come to some centavos more, in reais.
                 */
                returned: number;
                /**
                 * Format: reais
                 * @description What is left of the amount, in reais.
                 */
                outstanding: number;
                penalty: {
                    /**
                     * Format: reais
                     * @description Fine not paid yet, in reais.
                     */
                    fine: number;
                    /**
                     * Format: reais
                     * @description Interest not paid yet, in reais.
                     */
                    interest: number;
                    /**
                     * Format: reais
                     * @description Both, in reais.
                     */
                    total: number;
                    /** @description Days since the effective due day. */
                    days_late: number;
                };
                /** @description What was paid on top of the amount, less what went back. */
                charges_paid: {
                    /**
                     * Format: reais
                     * @description Fine, in reais.
                     */
                    fine: number;
                    /**
                     * Format: reais
                     * @description Interest, in reais.
                     */
                    interest: number;
                    /**
                     * Format: reais
                     * @description Price of extensions, in reais.
                     */
                    extension_fee: number;
                };
                /**
                 * Format: reais
                 * @description Outstanding and penalty, in reais.
                 */
                total_due: number;
                /** Format: date-time */
                paid_at: string | null;
                /** @description How often it was extended. */
                extensions: number;
                /**
                 * Format: reais
                 * @description What it earns if it is settled by its effective due day: nothing on what was returned or paid with cashback. 0 once it is paid or late, in reais.
                 */
                cashback_if_on_time: number;
                /** @description What can be generated now, and for how much. */
                pix_options: ({
                    /** @enum {unknown} */
                    type: "settle" | "settle_with_penalty";
                    /**
                     * Format: reais
                     * @description What it costs now, in reais.
                     */
                    value: number;
                } | {
                    /** @constant */
                    type: "settle_partial";
                    /**
                     * Format: reais
                     * @description The least, in reais.
                     */
                    min: number;
                    /**
                     * Format: reais
                     * @description The most, which settles it, in reais.
                     */
                    max: number;
                } | {
                    /** @constant */
                    type: "extend";
                    /**
                     * Format: reais
                     * @description What it costs now, in reais.
                     */
                    value: number;
                    /**
                     * Format: date
                     * @description The due day if it is paid today, in São Paulo.
                     */
                    due_on: string;
                })[];
                /** @description Its debit, if one was asked for. */
                autopay: {
                    /**
                     * @description `scheduled`: the bank debits it on that day. `trying`: it refused, and tries again on that day. `failed`: it is to be paid by code.
                     * @enum {unknown}
                     */
                    status: "scheduled" | "trying" | "paid" | "failed";
                    /**
                     * Format: date
                     * @description When it is debited, or was last, in São Paulo.
                     */
                    on: string;
                    /** @description On how many days the bank tried. */
                    tries: number;
                    /** @description What the bank said last, in words for the customer, in Portuguese. */
                    reason: string | null;
                } | null;
            }[];
            cost: {
                /**
                 * Format: reais
                 * @description What was bought for, in reais.
                 */
                financed: number;
                /**
                 * Format: reais
                 * @description What the credit costs, in reais.
                 */
                interest: number;
                /**
                 * Format: reais
                 * @description All installments together, in reais.
                 */
                total: number;
            };
        };
        OperatorCheckoutItem: {
            /** @description Identifies the purchase in addresses. */
            hash: string;
            /**
             * @description `overdue` from the day after the effective due day, while something is owed, and while nothing but penalties is.
             * @enum {unknown}
             */
            status: "open" | "overdue" | "paid";
            merchant: {
                slug: string;
                name: string;
                logo_url: string | null;
            };
            description: string | null;
            /** Format: date-time */
            purchased_at: string;
            amounts: components["schemas"]["Amounts"];
            installments_total: number;
            installments_paid: number;
            /**
             * Format: date
             * @description The earliest due day of what is not paid.
             */
            next_due_on: string | null;
            /**
             * Format: date-time
             * @description When all of it was returned.
             */
            returned_at: string | null;
            customer_id: string;
            /** @description Of the customer; masked below `support`. */
            customer_name: string | null;
            /** @description The offer it came from, if it did. */
            offer_id: string | null;
            /**
             * Format: date-time
             * @description When it was written off: in the book it is a loss, and owed all the same.
             */
            written_off_at: string | null;
        };
        OperatorCheckoutShown: {
            /** @description null in a dry run. */
            hash: string | null;
            /**
             * @description `overdue` from the day after the effective due day, while something is owed, and while nothing but penalties is.
             * @enum {unknown}
             */
            status: "open" | "overdue" | "paid";
            merchant: {
                slug: string;
                name: string;
                logo_url: string | null;
            };
            description: string | null;
            /** Format: date-time */
            purchased_at: string;
            amounts: components["schemas"]["Amounts"];
            installments_total: number;
            installments_paid: number;
            /**
             * Format: date
             * @description The earliest due day of what is not paid.
             */
            next_due_on: string | null;
            /**
             * Format: date-time
             * @description When all of it was returned.
             */
            returned_at: string | null;
            customer_id: string;
            /**
             * Format: date-time
             * @description When it was written off: in the book it is a loss, and owed all the same.
             */
            written_off_at: string | null;
            /** @description Whether its installments are debited; null: nobody asked for it. */
            autopay: {
                /**
                 * @description How the authorisation of debits stands: see /wallet/checkouts/{hash}/autopay.
                 * @enum {unknown}
                 */
                status: "pending" | "active" | "rejected" | "expired" | "ended";
            } | null;
            terms: components["schemas"]["AgreedTerms"];
            installments: {
                /** @description null in a dry run. */
                id: string | null;
                number: number;
                /**
                 * Format: date
                 * @description The due day, extensions included, in São Paulo.
                 */
                due_on: string;
                /**
                 * Format: date
                 * @description The next bank business day: until then nothing is late, in São Paulo.
                 */
                effective_due_on: string;
                /**
                 * @description `overdue` from the day after the effective due day, while something is owed, and while nothing but penalties is.
                 * @enum {unknown}
                 */
                status: "open" | "overdue" | "paid";
                /**
                 * Format: reais
                 * @description As agreed, in reais.
                 */
                amount: number;
                /**
                 * Format: reais
                 * @description What was paid of the amount, in reais.
                 */
                paid: number;
                /**
                 * Format: reais
                 * @description What was given back for paying early, in reais.
                 */
                discount: number;
                /**
                 * Format: reais
                 * @description What it comes to less since something was returned; by rounding the last one may come to some centavos more, in reais.
                 */
                returned: number;
                /**
                 * Format: reais
                 * @description What is left of the amount, in reais.
                 */
                outstanding: number;
                penalty: {
                    /**
                     * Format: reais
                     * @description Fine not paid yet, in reais.
                     */
                    fine: number;
                    /**
                     * Format: reais
                     * @description Interest not paid yet, in reais.
                     */
                    interest: number;
                    /**
                     * Format: reais
                     * @description Both, in reais.
                     */
                    total: number;
                    /** @description Days since the effective due day. */
                    days_late: number;
                };
                /** @description What was paid on top of the amount, less what went back. */
                charges_paid: {
                    /**
                     * Format: reais
                     * @description Fine, in reais.
                     */
                    fine: number;
                    /**
                     * Format: reais
                     * @description Interest, in reais.
                     */
                    interest: number;
                    /**
                     * Format: reais
                     * @description Price of extensions, in reais.
                     */
                    extension_fee: number;
                };
                /**
                 * Format: reais
                 * @description Outstanding and penalty, in reais.
                 */
                total_due: number;
                /** Format: date-time */
                paid_at: string | null;
                /** @description How often it was extended. */
                extensions: number;
                /**
                 * Format: reais
                 * @description What it earns if it is settled by its effective due day: nothing on what was returned or paid with cashback. 0 once it is paid or late, in reais.
                 */
                cashback_if_on_time: number;
                /** @description What can be generated now, and for how much. */
                pix_options: ({
                    /** @enum {unknown} */
                    type: "settle" | "settle_with_penalty";
                    /**
                     * Format: reais
                     * @description What it costs now, in reais.
                     */
                    value: number;
                } | {
                    /** @constant */
                    type: "settle_partial";
                    /**
                     * Format: reais
                     * @description The least, in reais.
                     */
                    min: number;
                    /**
                     * Format: reais
                     * @description The most, which settles it, in reais.
                     */
                    max: number;
                } | {
                    /** @constant */
                    type: "extend";
                    /**
                     * Format: reais
                     * @description What it costs now, in reais.
                     */
                    value: number;
                    /**
                     * Format: date
                     * @description The due day if it is paid today, in São Paulo.
                     */
                    due_on: string;
                })[];
                /** @description Its debit, if one was asked for. */
                autopay: {
                    /**
                     * @description `scheduled`: the bank debits it on that day. `trying`: it refused, and tries again on that day. `failed`: it is to be paid by code.
                     * @enum {unknown}
                     */
                    status: "scheduled" | "trying" | "paid" | "failed";
                    /**
                     * Format: date
                     * @description When it is debited, or was last, in São Paulo.
                     */
                    on: string;
                    /** @description On how many days the bank tried. */
                    tries: number;
                    /** @description What the bank said last, in words for the customer, in Portuguese. */
                    reason: string | null;
                } | null;
            }[];
            cost: {
                /**
                 * Format: reais
                 * @description What was bought for, in reais.
                 */
                financed: number;
                /**
                 * Format: reais
                 * @description What the credit costs, in reais.
                 */
                interest: number;
                /**
                 * Format: reais
                 * @description All installments together, in reais.
                 */
                total: number;
            };
            /** @description Of the customer; masked below `support`. */
            customer_name: string | null;
        };
        OperatorCustomer: {
            id: string;
            name: string;
            phone: string;
            email: string;
            /** @description The taxpayer number, masked. */
            cpf: string;
            /** Format: date-time */
            created_at: string;
            credit: {
                /**
                 * Format: reais
                 * @description How much may be owed at most, in reais.
                 */
                limit: number;
                /**
                 * Format: reais
                 * @description What is owed on all purchases, in reais.
                 */
                used: number;
                /**
                 * Format: reais
                 * @description How much can still be bought for, in reais.
                 */
                available: number;
            };
            /** @description What others register with when this customer invites them. */
            referral_code: string;
            /**
             * Format: date-time
             * @description Since when no login is let in, if so.
             */
            locked_at: string | null;
            /**
             * Format: date-time
             * @description Since when nothing tells who it was, if so.
             */
            erased_at: string | null;
            /** @description A new phone that does not count yet. */
            phone_change: {
                /** @description The new phone. */
                phone: string;
                /** @description Who asked for it, as the audit trail has it. */
                asked_by: string;
                /** Format: date-time */
                asked_at: string;
                /**
                 * Format: date-time
                 * @description When it takes effect, unless it is confirmed or cancelled before.
                 */
                counts_at: string;
            } | null;
        };
        OperatorReturn: {
            id: string;
            /**
             * Format: reais
             * @description What was returned, of what was bought for, in reais.
             */
            amount: number;
            reason: string;
            /** Format: date-time */
            returned_at: string;
            /** @description What goes back by Pix, the newest payment first. */
            refunds: {
                /** @description The payment in the Pix network. */
                end_to_end_id: string;
                /**
                 * Format: reais
                 * @description What of it goes back, in reais.
                 */
                amount: number;
            }[];
            /**
             * Format: reais
             * @description What becomes cashback of the customer, because it cannot go back by Pix, in reais.
             */
            cashback: number;
            /** @description Which member of the merchant made it; null: the merchant’s own server, or the operator. */
            by: {
                id: string;
                name: string;
            } | null;
            checkout: components["schemas"]["OperatorCheckout"];
        };
        OrphanAssignment: {
            /** @description What it pays. */
            installment_id: string;
            /** @description Only says what would come of it. */
            dry_run?: boolean;
        };
        Pagination: {
            /** @description This page. */
            page: number;
            /** @description How many to a page. */
            limit: number;
            /** @description How many there are on all pages. */
            total: number;
            /** @description How many pages there are. */
            pages: number;
        };
        Partner: {
            /** @description The partner. */
            id: string;
            name: string;
            /** Format: date-time */
            created_at: string;
            /** @description How many keys it has that are not revoked. */
            keys: number;
        };
        PasskeyOptions: {
            /** @description For `navigator.credentials`, as JSON. */
            options: {
                [key: string]: unknown;
            };
        };
        PaymentMove: {
            /** @description What it pays from now on, of this or another customer. */
            installment_id: string;
            /** @description A guard: if it counts for another one by now, nothing is done. */
            from_installment_id?: string;
            /**
             * Format: text
             * @description Why. It is in the trail.
             */
            reason: string;
            /** @description Only says what would come of it. */
            dry_run?: boolean;
        };
        Payout: {
            id: string;
            /** @description Slug of the merchant. */
            merchant: string;
            /**
             * Format: reais
             * @description What is paid, in reais.
             */
            amount: number;
            /**
             * @description `failed`: it is owed again, and the next batch pays it.
             * @enum {unknown}
             */
            status: "pending" | "paid" | "failed";
            /**
             * Format: date
             * @description The latest due day of what it pays, in São Paulo.
             */
            due_on: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            paid_at: string | null;
            /** @description What the bank calls it, once it is paid. */
            reference: string | null;
            /** Format: date-time */
            failed_at: string | null;
            /** @description Why it failed. */
            reason: string | null;
        };
        PayoutAccount: {
            /** @description The Pix key it is paid to. */
            pix_key: string | null;
            /** @description Whose account it is. */
            holder_name: string | null;
            /** @description CNPJ or CPF of the holder, digits alone. */
            tax_id: string | null;
            /** @description What an owner of the merchant wants instead. It does not count yet. */
            change: {
                /** @description The Pix key it is paid to. */
                pix_key: string | null;
                /** @description Whose account it is. */
                holder_name: string | null;
                /** @description CNPJ or CPF of the holder, digits alone. */
                tax_id: string | null;
                /** Format: date-time */
                asked_at: string;
                /**
                 * Format: date-time
                 * @description When it takes effect, unless it is stopped before.
                 */
                counts_at: string;
            } | null;
        };
        PayoutAccountForm: {
            /** @description CPF, CNPJ, phone, e-mail or random key, as the bank writes it. */
            pix_key: string;
            /**
             * Format: text
             * @description Whose account it is.
             */
            holder_name: string;
            /** @description CNPJ or CPF of the holder. */
            tax_id: string;
        };
        PayoutBatch: {
            /**
             * Format: date
             * @description Pays what is due on or before this day; today unless sent, in São Paulo.
             */
            until?: string;
        };
        PayoutFailed: {
            /**
             * Format: text
             * @description Why the bank did not pay it.
             */
            reason: string;
        };
        PayoutLine: {
            id: string;
            /**
             * @description A `sale` and its `fee`; a `return` and the fee that goes back with it, `return_fee`; a `payout`, and one that the bank did not carry out, `payout_failed`.
             * @enum {unknown}
             */
            kind: "sale" | "fee" | "return" | "return_fee" | "payout" | "payout_failed";
            /**
             * Format: reais
             * @description Above zero the merchant is owed more, below zero less, in reais.
             */
            amount: number;
            /** @description The sale, if it is about one. */
            checkout_hash: string | null;
            /** @description The payout, if it is about one. */
            of_payout: string | null;
            /**
             * Format: date
             * @description From when on a payout takes it in, in São Paulo.
             */
            due_on: string;
            /** Format: date-time */
            occurred_at: string;
        };
        PayoutPaid: {
            /**
             * Format: text
             * @description What the bank calls it.
             */
            reference: string;
        };
        PayoutWithLines: {
            id: string;
            /** @description Slug of the merchant. */
            merchant: string;
            /**
             * Format: reais
             * @description What is paid, in reais.
             */
            amount: number;
            /**
             * @description `failed`: it is owed again, and the next batch pays it.
             * @enum {unknown}
             */
            status: "pending" | "paid" | "failed";
            /**
             * Format: date
             * @description The latest due day of what it pays, in São Paulo.
             */
            due_on: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            paid_at: string | null;
            /** @description What the bank calls it, once it is paid. */
            reference: string | null;
            /** Format: date-time */
            failed_at: string | null;
            /** @description Why it failed. */
            reason: string | null;
            /** @description A page of what it settled: together they are its amount. */
            lines: components["schemas"]["PayoutLine"][];
            pagination: components["schemas"]["Pagination"];
        };
        PhoneConfirmation: {
            proof?: components["schemas"]["CodeProof"];
            /**
             * Format: text
             * @description Why: it is kept in the trail.
             */
            reason?: string;
        };
        PixDiscrepancy: {
            /**
             * @description `paid_without_payment`: the charge is paid at the provider, and no payment of it can be found. `end_to_end_id_reused`: its payment has been counted for another charge. `unreadable_payment`: the amount or the time of a payment cannot be read.
             * @enum {unknown}
             */
            kind: "paid_without_payment" | "end_to_end_id_reused" | "unreadable_payment";
            /** @description The charge. */
            pix_id: string;
            customer_id: string;
            /** @description What the payment provider knows the charge by. */
            txid: string;
            /** @description Of the payment, where one is named. */
            end_to_end_id: string | null;
            /**
             * Format: reais
             * @description What the charge asks for, in reais.
             */
            value: number;
            /** Format: date-time */
            found_at: string;
        };
        PixMove: {
            id: string;
            /**
             * @description Each move has both: what it counted for, and what since.
             * @enum {unknown}
             */
            side: "from" | "to";
            customer_id: string;
            checkout_hash: string;
            installment_id: string;
            reason: string;
            /** Format: date-time */
            moved_at: string;
            /** @description The person, or the user of the command line. */
            moved_by: string;
        };
        PixOrphan: {
            /** @description The payment in the Pix network. */
            end_to_end_id: string;
            txid: string | null;
            /**
             * Format: reais
             * @description What arrived, in reais.
             */
            value: number;
            /**
             * @description `open`: nothing was done about it. It goes back to the payer: `asked`, `processing` at the payment provider, `returned`.
             * @enum {unknown}
             */
            status: "open" | "asked" | "processing" | "returned";
            /** @description Why the last try to give it back failed. */
            reason: string | null;
            /** Format: date-time */
            paid_at: string;
            /** Format: date-time */
            found_at: string;
            /** Format: date-time */
            returned_at: string | null;
        };
        PixOrphanShown: {
            /** @description The payment in the Pix network. */
            end_to_end_id: string;
            txid: string | null;
            /**
             * Format: reais
             * @description What arrived, in reais.
             */
            value: number;
            /**
             * @description `open`: nothing was done about it. It goes back to the payer: `asked`, `processing` at the payment provider, `returned`.
             * @enum {unknown}
             */
            status: "open" | "asked" | "processing" | "returned";
            /** @description Why the last try to give it back failed. */
            reason: string | null;
            /** Format: date-time */
            paid_at: string;
            /** Format: date-time */
            found_at: string;
            /** Format: date-time */
            returned_at: string | null;
            /** @description What it may be for, the likeliest first; none once something came of it. */
            suggestions: {
                customer_id: string;
                /** @description Of the customer; masked below `support`. */
                customer_name: string | null;
                checkout_hash: string;
                installment_id: string;
                /** @description `code`: a code of the same amount was made in the week before, and not paid. `amount`: exactly so much is owed on it, due within ten days. `bank`: the customer has paid from the same bank before. */
                because: ("code" | "amount" | "bank")[];
            }[];
        };
        PixPaymentItem: {
            /** @description The payment in the Pix network. */
            end_to_end_id: string;
            /** @description The charge it paid. */
            pix_id: string;
            customer_id: string;
            installment_id: string;
            /**
             * Format: reais
             * @description What arrived, in reais.
             */
            value: number;
            /**
             * Format: reais
             * @description What of it has gone back, in reais.
             */
            refunded: number;
            /** @description It came without a charge, and a person said what it is for. */
            assigned: boolean;
            /**
             * Format: date-time
             * @description When the payment provider says it arrived.
             */
            paid_at: string;
            /**
             * Format: date-time
             * @description When it was applied.
             */
            recorded_at: string;
            /** @description Of the customer; masked below `support`. */
            customer_name: string | null;
        };
        PixPaymentWithRefunds: {
            /** @description The payment in the Pix network. */
            end_to_end_id: string;
            /** @description The charge it paid. */
            pix_id: string;
            customer_id: string;
            installment_id: string;
            /**
             * Format: reais
             * @description What arrived, in reais.
             */
            value: number;
            /**
             * Format: reais
             * @description What of it has gone back, in reais.
             */
            refunded: number;
            /** @description It came without a charge, and a person said what it is for. */
            assigned: boolean;
            /**
             * Format: date-time
             * @description When the payment provider says it arrived.
             */
            paid_at: string;
            /**
             * Format: date-time
             * @description When it was applied.
             */
            recorded_at: string;
            /** @description Of the customer; masked below `support`. */
            customer_name: string | null;
            refunds: components["schemas"]["PixRefund"][];
            /** @description Where it counted before, the earliest first. */
            moves: components["schemas"]["PixMove"][];
        };
        PixRefund: {
            /** @description What the payment provider knows it by. */
            id: string;
            /** @description Of the payment whose money it is. */
            end_to_end_id: string;
            customer_id: string;
            /**
             * Format: reais
             * @description What it returns, in reais.
             */
            value: number;
            /**
             * @description `asked` and `processing`: under way. `returned`: the payer has it. `failed`: another one was made for it. `given_up`: a person must see to it. `credited`: the payment is too old to be refunded, and the money became cashback. `overtaken`: the money was applied, or left another way.
             * @enum {unknown}
             */
            status: "asked" | "processing" | "returned" | "failed" | "given_up" | "credited" | "overtaken";
            /**
             * Format: reais
             * @description What was given up of it, is still here, and owed to the payer, in reais.
             */
            stranded: number;
            /** @description Nobody here asked for it: the payer’s bank took it, or it was done by hand. */
            forced: boolean;
            /** @description Why it failed: what the payment provider said. Of a forced one, its nature. */
            reason: string | null;
            tries: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            settled_at: string | null;
        };
        PixRefundItem: {
            /** @description What the payment provider knows it by. */
            id: string;
            /** @description Of the payment whose money it is. */
            end_to_end_id: string;
            customer_id: string;
            /**
             * Format: reais
             * @description What it returns, in reais.
             */
            value: number;
            /**
             * @description `asked` and `processing`: under way. `returned`: the payer has it. `failed`: another one was made for it. `given_up`: a person must see to it. `credited`: the payment is too old to be refunded, and the money became cashback. `overtaken`: the money was applied, or left another way.
             * @enum {unknown}
             */
            status: "asked" | "processing" | "returned" | "failed" | "given_up" | "credited" | "overtaken";
            /**
             * Format: reais
             * @description What was given up of it, is still here, and owed to the payer, in reais.
             */
            stranded: number;
            /** @description Nobody here asked for it: the payer’s bank took it, or it was done by hand. */
            forced: boolean;
            /** @description Why it failed: what the payment provider said. Of a forced one, its nature. */
            reason: string | null;
            tries: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            settled_at: string | null;
            /** @description Of the customer; masked below `support`. */
            customer_name: string | null;
        };
        PixReport: {
            /**
             * Format: date
             * @description The report is as of the end of this day in São Paulo; of today, as of now.
             */
            on: string;
            /**
             * Format: date
             * @description The first of the thirty days that end with it.
             */
            from: string;
            data: {
                type: string;
                /** @description Codes that were made. */
                made: number;
                /** @description Those that were paid by the end of the day. */
                paid: number;
                /** @description null: none was made. */
                paid_percent: number | null;
                /**
                 * Format: reais
                 * @description What they asked for, in reais.
                 */
                made_value: number;
                /**
                 * Format: reais
                 * @description What those that were paid asked for, in reais.
                 */
                paid_value: number;
                /** @description How long half of those that were paid took at most. */
                median_seconds: number | null;
            }[];
            total: {
                /** @description Codes that were made. */
                made: number;
                /** @description Those that were paid by the end of the day. */
                paid: number;
                /** @description null: none was made. */
                paid_percent: number | null;
                /**
                 * Format: reais
                 * @description What they asked for, in reais.
                 */
                made_value: number;
                /**
                 * Format: reais
                 * @description What those that were paid asked for, in reais.
                 */
                paid_value: number;
            };
        };
        PortfolioReport: {
            /**
             * Format: date
             * @description The report is as of the end of this day in São Paulo; of today, as of now.
             */
            on: string;
            /**
             * Format: date-time
             * @description Of a day that is over: when it was worked out from the facts. What is heard of it later is in the days after.
             */
            worked_out_at: string;
            open: {
                purchases: number;
                /**
                 * Format: reais
                 * @description What was bought for, in reais.
                 */
                financed: number;
                /**
                 * Format: reais
                 * @description What was paid of the installments, in reais.
                 */
                paid: number;
                /**
                 * Format: reais
                 * @description What the installments come to less since something was returned, in reais.
                 */
                returned: number;
                /**
                 * Format: reais
                 * @description What is left of the installments, penalties not counted, in reais.
                 */
                outstanding: number;
                /** @description How many of them are written off. */
                written_off: number;
                /**
                 * Format: reais
                 * @description What is outstanding on those, in reais.
                 */
                written_off_outstanding: number;
            };
            overdue: {
                purchases: number;
                /**
                 * Format: reais
                 * @description What was bought for, in reais.
                 */
                financed: number;
                /**
                 * Format: reais
                 * @description What was paid of the installments, in reais.
                 */
                paid: number;
                /**
                 * Format: reais
                 * @description What the installments come to less since something was returned, in reais.
                 */
                returned: number;
                /**
                 * Format: reais
                 * @description What is left of the installments, penalties not counted, in reais.
                 */
                outstanding: number;
                /** @description How many of them are written off. */
                written_off: number;
                /**
                 * Format: reais
                 * @description What is outstanding on those, in reais.
                 */
                written_off_outstanding: number;
            };
            paid: {
                purchases: number;
                /**
                 * Format: reais
                 * @description What was bought for, in reais.
                 */
                financed: number;
                /**
                 * Format: reais
                 * @description What was paid of the installments, in reais.
                 */
                paid: number;
                /**
                 * Format: reais
                 * @description What the installments come to less since something was returned, in reais.
                 */
                returned: number;
                /**
                 * Format: reais
                 * @description What is left of the installments, penalties not counted, in reais.
                 */
                outstanding: number;
                /** @description How many of them are written off. */
                written_off: number;
                /**
                 * Format: reais
                 * @description What is outstanding on those, in reais.
                 */
                written_off_outstanding: number;
            };
            returned: {
                purchases: number;
                /**
                 * Format: reais
                 * @description What was bought for, in reais.
                 */
                financed: number;
                /**
                 * Format: reais
                 * @description What was paid of the installments, in reais.
                 */
                paid: number;
                /**
                 * Format: reais
                 * @description What the installments come to less since something was returned, in reais.
                 */
                returned: number;
                /**
                 * Format: reais
                 * @description What is left of the installments, penalties not counted, in reais.
                 */
                outstanding: number;
                /** @description How many of them are written off. */
                written_off: number;
                /**
                 * Format: reais
                 * @description What is outstanding on those, in reais.
                 */
                written_off_outstanding: number;
            };
            total: {
                purchases: number;
                /**
                 * Format: reais
                 * @description What was bought for, in reais.
                 */
                financed: number;
                /**
                 * Format: reais
                 * @description What was paid of the installments, in reais.
                 */
                paid: number;
                /**
                 * Format: reais
                 * @description What the installments come to less since something was returned, in reais.
                 */
                returned: number;
                /**
                 * Format: reais
                 * @description What is left of the installments, penalties not counted, in reais.
                 */
                outstanding: number;
                /** @description How many of them are written off. */
                written_off: number;
                /**
                 * Format: reais
                 * @description What is outstanding on those, in reais.
                 */
                written_off_outstanding: number;
            };
        };
        /** @description RFC 9457 problem details. */
        Problem: {
            /**
             * Format: uri
             * @description A page that tells cause and remedy.
             */
            type: string;
            /** @description In Portuguese when `Accept-Language` prefers it. */
            title: string;
            status: number;
            /** @description What is wrong in this case, for people. */
            detail: string;
            /** @description What is wrong, for programs: stable. */
            code: string;
            /** @description To quote when asking for help. */
            request_id: string;
            /** @description Every field or parameter that is wrong. */
            errors?: {
                /** @description JSON Pointer to the field, or / and the name of the parameter. */
                pointer: string;
                message: string;
            }[];
        };
        PspDelivery: {
            id: number;
            /**
             * @description What it is about: a payment, an authorisation, a debit.
             * @enum {unknown}
             */
            kind: "pix" | "rec" | "cobr";
            /** @enum {unknown} */
            state: "waiting" | "delivered" | "failed" | "withheld";
            attempts: number;
            /** @description How the last attempt ended: a status, or why there was none. */
            last_outcome: string | null;
            /** @description One element of the notice's list, as it was sent. */
            pix: unknown;
            /** Format: date-time */
            created_at: string;
        };
        PspFaults: {
            /**
             * @description Every answer takes this much longer.
             * @default 0
             */
            latency_ms: number;
            /**
             * @description Share of calls answered with a 5xx; of writes, half are carried out all the same. From 0 (never) to 1 (always).
             * @default 0
             */
            error_rate: number;
            /**
             * @description Share of calls that are carried out and never answered. From 0 (never) to 1 (always).
             * @default 0
             */
            timeout_rate: number;
            /**
             * @description Share of writes that are carried out, after which the connection is cut. From 0 (never) to 1 (always).
             * @default 0
             */
            drop_after_write: number;
            /**
             * @description Share of token requests that fail, and of calls answered with 401 to a good token. From 0 (never) to 1 (always).
             * @default 0
             */
            token_errors: number;
            /**
             * @description Notices: at once; each twice; after a delay; not at all; in any order, spread over the delay.
             * @default normal
             * @enum {unknown}
             */
            notify: "normal" | "twice" | "late" | "never" | "shuffled";
            /**
             * @description How long notices wait. 0 means 5 seconds with `late` and one second with `shuffled`.
             * @default 0
             */
            notify_delay_ms: number;
            /**
             * @description Reais that payers pay too much, or too little when negative.
             * @default 0
             */
            wrong_amount: number;
            /**
             * @description Refunds we ask for: returned; in process until this is changed; not carried out.
             * @default normal
             * @enum {unknown}
             */
            refund: "normal" | "stuck" | "fails";
            /**
             * @description What becomes of debits: paid; the payer's account is empty; the payer's own limit is too low; the payer's bank says nothing.
             * @default paid
             * @enum {unknown}
             */
            debits: "paid" | "no_money" | "cap" | "silent";
            /**
             * @description Days by which a local holiday of the payer moves a debit, beyond the banks' own holidays.
             * @default 0
             */
            debits_moved_days: number;
            /**
             * @description What a paid charge shows of its payments: all; none; one as an object; a payment of 0.00 beside it, or one that cannot be read.
             * @default normal
             * @enum {unknown}
             */
            payments: "normal" | "missing" | "object" | "zero_beside" | "unreadable_beside";
            /**
             * @description The txid of payments: as it is; left out, but for notices; in capitals, as the Pix key and the txid of charges then are.
             * @default normal
             * @enum {unknown}
             */
            txid: "normal" | "missing" | "capitals";
            /**
             * @description GET /pix: as asked; shows nothing; whatever the txid; pages of at most two that say nothing of how many there are.
             * @default normal
             * @enum {unknown}
             */
            pix_list: "normal" | "empty" | "unfiltered" | "short_pages";
            /**
             * @description GET /pix/{e2eid}: as asked; refused.
             * @default normal
             * @enum {unknown}
             */
            pix_lookup: "normal" | "refused";
            /**
             * @description Amounts of payments: '10.50'; '10.5'.
             * @default normal
             * @enum {unknown}
             */
            amounts: "normal" | "short";
            /**
             * @description The time of payments: with fraction, zone and T; without the one; without the other; without any.
             * @default normal
             * @enum {unknown}
             */
            timestamps: "normal" | "no_fraction" | "no_zone" | "spaced";
            /**
             * @description The end-to-end id of new payments: of its own; that of the last payment of another charge.
             * @default normal
             * @enum {unknown}
             */
            end_to_end_id: "normal" | "reused";
            /**
             * @description How notices are sent.
             * @default normal
             * @enum {unknown}
             */
            notice_format: "normal" | "gzip" | "array" | "object" | "no_content_type" | "trailing_slash";
        };
        Quote: {
            /**
             * Format: reais
             * @description What is bought for, in reais.
             */
            amount: number;
            installments: {
                number: number;
                /**
                 * Format: date
                 * @description When it falls due, in São Paulo.
                 */
                due_on: string;
                /**
                 * Format: reais
                 * @description What is due, in reais.
                 */
                amount: number;
            }[];
            /**
             * Format: reais
             * @description All installments together, in reais.
             */
            total: number;
            /**
             * Format: reais
             * @description What the credit costs: the total less the amount, in reais.
             */
            cost: number;
            /**
             * Format: reais
             * @description What all installments earn together if each is settled by its effective due day, in reais.
             */
            cashback_if_on_time: number;
            terms: components["schemas"]["Terms"];
        };
        ReasonForm: {
            /**
             * Format: text
             * @description Why: it is kept in the trail.
             */
            reason?: string;
        };
        ReferralOrder: {
            /**
             * Format: text
             * @description Id or phone of the invited customer.
             */
            customer: string;
            /**
             * Format: text
             * @description Referral code of the customer who invited.
             */
            code: string;
        };
        ResetDone: {
            /**
             * Format: date-time
             * @description The real time, which is the time of the sandbox again.
             */
            reset_at: string;
            /** @description How many there are now. */
            merchants: number;
            customers: number;
            checkouts: number;
        };
        ReturnOrder: {
            /**
             * Format: reais
             * @description How much of what was bought for, in reais; all that is left of it unless sent.
             */
            amount?: number;
            /**
             * Format: text
             * @description Why.
             */
            reason: string;
        };
        ReturnRefusal: {
            /**
             * Format: text
             * @description Why.
             */
            reason: string;
        };
        SandboxAutopay: {
            /** @description The authorisation, or what the PSP calls it. */
            id: string;
            /** @enum {unknown} */
            status: "pending" | "active" | "rejected" | "expired" | "ended";
        };
        SandboxMessage: {
            /** @description The phone of who got it, also of an e-mail. */
            phone: string | null;
            /** @enum {unknown} */
            channel: "whatsapp" | "sms" | "email" | "push";
            /** @description Which message: `login_code`, `offer`, `reminder`, ... */
            template: string;
            /** @description Of a reminder: days from the due day. */
            step: number | null;
            text: string;
            /** @description The login code or PIX code that goes with it, if there is one. */
            code: string | null;
            /** @description Where it leads, if anywhere. */
            link: string | null;
            /** Format: date-time */
            sent_at: string;
        };
        SandboxPayment: {
            end_to_end_id: string;
            txid: string;
            /** @description What was paid, in reais. */
            value: number;
            /** Format: date-time */
            paid_at: string;
        };
        SandboxReversal: {
            end_to_end_id: string;
            txid: string;
            /** @description The id of the refund that nobody here asked for. */
            refund_id: string;
            /** @description What went back, in reais. */
            value: number;
            /** Format: date-time */
            reversed_at: string;
        };
        ScannedCharge: {
            txid: string;
            /** @description What it costs now, in reais; 0 where the payer chooses. */
            value: number;
            receiver: {
                name: string;
                city: string;
                key: string;
            };
            /** @description What the receiver wrote for the payer. */
            note: string | null;
            status: string;
            /** Format: date-time */
            expires_at: string;
            /** @description Whether banks would take a payment now. */
            payable: boolean;
        };
        SearchHit: {
            /**
             * @description What it is.
             * @enum {unknown}
             */
            kind: "customer" | "checkout" | "payment" | "orphan" | "charge" | "refund" | "offer" | "merchant" | "post";
            /** @description What its own address has in it. */
            id: string;
            /** @description A few words in Portuguese. */
            title: string;
            customer_id: string | null;
            /** @description Masked below `support`. */
            customer_name: string | null;
        };
        SettingInForce: {
            name: string;
            meaning: string;
            /** @description What is in force. `***`: a secret that is set. Null: nothing is. */
            value: string | null;
            is_default: boolean;
        };
        StaffCashback: {
            customer_id: string;
            /**
             * Format: reais
             * @description What the customer has now. Below zero when cashback was taken back that had been used; what is earned next fills it up, in reais.
             */
            available: number;
            /**
             * Format: reais
             * @description What the open installments would still earn if all were paid on time, in reais.
             */
            pending: number;
            /** @description All that is available, by the day it ends, the next first. */
            expiring: {
                /**
                 * Format: reais
                 * @description How much, in reais.
                 */
                amount: number;
                /**
                 * Format: date
                 * @description The last day on which it counts, in São Paulo.
                 */
                expires_on: string;
            }[];
            /**
             * Format: reais
             * @description All that was ever earned, by paying on time and by inviting, less what was taken back, in reais.
             */
            lifetime_earned: number;
        };
        StaffCashbackItem: {
            customer_id: string;
            id: string;
            /**
             * @description `earned` by paying an installment on time, `referral` for an invitation, `redeemed` to pay an installment (above zero: that was not owed after all), `expired`, `reversed`: taken back because a payment was, `adjusted` by the operator.
             * @enum {unknown}
             */
            kind: "earned" | "referral" | "redeemed" | "expired" | "reversed" | "adjusted";
            /**
             * Format: reais
             * @description Above zero what came, below zero what went, in reais.
             */
            amount: number;
            /**
             * Format: reais
             * @description What the customer had then, in reais.
             */
            balance_after: number;
            /** @description For the customer, in Portuguese. */
            description: string;
            /** @description The purchase it is about, if it is about one. */
            checkout_hash: string | null;
            /** @description The installment that earned it, or was paid with it. */
            installment_id: string | null;
            /** Format: date-time */
            occurred_at: string;
            /**
             * Format: date
             * @description Of what came: the last day on which it counts, in São Paulo.
             */
            expires_on: string | null;
            /** @description Of the customer; masked below `support`. */
            customer_name: string | null;
        };
        StaffCashbackShown: {
            customer_id: string;
            /**
             * Format: reais
             * @description What the customer has now. Below zero when cashback was taken back that had been used; what is earned next fills it up, in reais.
             */
            available: number;
            /**
             * Format: reais
             * @description What the open installments would still earn if all were paid on time, in reais.
             */
            pending: number;
            /** @description All that is available, by the day it ends, the next first. */
            expiring: {
                /**
                 * Format: reais
                 * @description How much, in reais.
                 */
                amount: number;
                /**
                 * Format: date
                 * @description The last day on which it counts, in São Paulo.
                 */
                expires_on: string;
            }[];
            /**
             * Format: reais
             * @description All that was ever earned, by paying on time and by inviting, less what was taken back, in reais.
             */
            lifetime_earned: number;
            /** @description Of the customer; masked below `support`. */
            customer_name: string | null;
        };
        StaffCategory: {
            slug: string;
            name: string;
        };
        StaffEntered: {
            /** @description A credential of this door, sent as `Authorization: Bearer`. It is not shown again. */
            session: string;
            session_id: string;
            /**
             * Format: date-time
             * @description It ends earlier after 30 minutes of nothing.
             */
            expires_at: string;
            /**
             * @description What is still to be done. `enrol`: the person has no second factor yet; in live mode nothing else can be done before.
             * @enum {unknown}
             */
            next: "done" | "second_factor" | "enrol";
            /** @description Second factors the person has. */
            methods: ("totp" | "passkey")[];
            person: components["schemas"]["StaffMe"];
        };
        StaffEvent: {
            id: string;
            type: string;
            customer_id: string | null;
            checkout_hash: string | null;
            sequence: number | null;
            /** Format: date-time */
            occurred_at: string;
            /** @description As partners are told. */
            data: Record<string, never>;
        };
        StaffFactors: {
            /** @description Whether one-time codes are set up. */
            totp: boolean;
            passkeys: {
                id: string;
                name: string;
                /** Format: date-time */
                created_at: string;
                /** Format: date-time */
                last_used_at: string | null;
            }[];
            /** @description How many are left. */
            recovery_codes: number;
        };
        StaffFaqEntry: {
            id: string;
            /** @description What it is about. */
            topic: string;
            question: string;
            answer: string;
            /** @description Its place in the topic. */
            position: number;
            listed: boolean;
        };
        StaffInvitation: {
            name: string;
            /** @enum {unknown} */
            role: "viewer" | "content" | "support" | "finance" | "admin";
            email: string | null;
            /** Format: date-time */
            expires_at: string;
        };
        StaffInvited: {
            /** @description Where the person chooses e-mail, password and second factor. It is not shown again. */
            invite_url: string;
            /** Format: date-time */
            invite_expires_at: string;
        };
        StaffLead: {
            id: string;
            kind: string;
            /** @enum {unknown} */
            status: "new" | "handled";
            name: string;
            email: string | null;
            phone: string | null;
            company: string | null;
            message: string | null;
            /** @description What staff wrote about it. */
            note: string | null;
            /** @description Through which partner it came. */
            partner_id: string;
            /** Format: date-time */
            received_at: string;
        };
        StaffLogin: {
            /** Format: email */
            email: string;
            /** Format: text */
            password: string;
        };
        StaffMe: {
            /** @description The person. */
            id: string;
            name: string;
            /** @enum {unknown} */
            role: "viewer" | "content" | "support" | "finance" | "admin";
            /** @description What they sign in with; null: they only have a key. */
            email: string | null;
        };
        StaffMember: {
            /** @description The person. */
            id: string;
            name: string;
            /**
             * @description `viewer` reads; `content` also changes catalog and leads; `support` also customers, but not limits; `finance` also limits, purchases, returns, refunds, payouts; `admin` everything.
             * @enum {unknown}
             */
            role: "viewer" | "content" | "support" | "finance" | "admin";
            /** @description What they sign in with at the back office; null: not yet. */
            email: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            removed_at: string | null;
        };
        StaffMerchant: {
            /** @description Identifies the merchant in addresses. */
            slug: string;
            name: string;
            /** @description Slug of its category. */
            category: string;
            description: string | null;
            /** @description A web address, or a path under /media/. */
            logo_url: string | null;
            city: string | null;
            /** @description Two letters, e.g. SP. */
            state: string | null;
            website: string | null;
            /** @description Whether the catalog shows it. */
            listed: boolean;
            plan: {
                /** @description Interest a week. At most four decimals. */
                weekly_rate_percent: number;
                max_installments: number;
                /**
                 * Format: reais
                 * @description The least a purchase may be for.
                 */
                min_amount: number;
                /**
                 * Format: reais
                 * @description The most.
                 */
                max_amount: number;
                /** @description What of each installment paid on time comes back to the customer. At most four decimals. */
                cashback_percent: number;
                /** @description What the operator keeps of a sale. At most four decimals. */
                merchant_fee_percent: number;
                /** @description Business days until a sale is paid out. */
                payout_days: number;
            };
        };
        StaffOffer: {
            id: string;
            /**
             * @description `expired` at `expires_at`, unless something came of it before.
             * @enum {unknown}
             */
            status: "pending" | "accepted" | "declined" | "expired" | "cancelled";
            merchant: {
                slug: string;
                name: string;
            };
            /** @description Who claimed or accepted it. */
            customer_id: string | null;
            description: string | null;
            /** @description What the merchant calls it. */
            reference: string | null;
            /**
             * Format: reais
             * @description What is bought for, in reais.
             */
            amount: number;
            /** @description At most so many. */
            installments: number;
            accepted_installments: number | null;
            /** @description The purchase, once it was accepted. */
            checkout_hash: string | null;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description It can be accepted until then; one that nobody has claimed, be claimed.
             */
            expires_at: string;
            /** Format: date-time */
            claimed_at: string | null;
            /** Format: date-time */
            closed_at: string | null;
            /** @description What is bought, one by one, if the merchant said so. */
            items: {
                name: string;
                quantity: number;
                /**
                 * Format: reais
                 * @description For the whole quantity, in reais.
                 */
                amount: number;
            }[];
            quote: components["schemas"]["Quote"];
        };
        StaffOfferItem: {
            id: string;
            /**
             * @description `expired` at `expires_at`, unless something came of it before.
             * @enum {unknown}
             */
            status: "pending" | "accepted" | "declined" | "expired" | "cancelled";
            merchant: {
                slug: string;
                name: string;
            };
            /** @description Who claimed or accepted it. */
            customer_id: string | null;
            description: string | null;
            /** @description What the merchant calls it. */
            reference: string | null;
            /**
             * Format: reais
             * @description What is bought for, in reais.
             */
            amount: number;
            /** @description At most so many. */
            installments: number;
            accepted_installments: number | null;
            /** @description The purchase, once it was accepted. */
            checkout_hash: string | null;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description It can be accepted until then; one that nobody has claimed, be claimed.
             */
            expires_at: string;
            /** Format: date-time */
            claimed_at: string | null;
            /** Format: date-time */
            closed_at: string | null;
        };
        StaffOfferOrder: {
            /** @description Slug of the merchant in whose name it is made. */
            merchant: string;
            /**
             * Format: phone
             * @description Mobile number in international format (E.164), or as people in Brazil write it: 11 98765-0001. Its owner need not be a customer yet.
             */
            phone: string;
            /**
             * Format: reais
             * @description What is bought for, in reais.
             */
            amount: number;
            /** @description One a week. */
            installments: number;
            /**
             * Format: text
             * @description What is bought.
             */
            description?: string;
            /**
             * Format: text
             * @description What you call it. The same reference and content again is the same offer while that is pending or accepted; after it was cancelled, declined or has expired, a new one.
             */
            reference?: string;
            /** @description What is bought, one by one. The amounts add up to `amount`. */
            items?: {
                /** Format: text */
                name: string;
                quantity: number;
                /**
                 * Format: reais
                 * @description For the whole quantity, in reais.
                 */
                amount: number;
            }[];
            /** @description Only says what it would come to. */
            dry_run?: boolean;
        };
        StaffPayoutItem: {
            id: string;
            /** @description Slug of the merchant. */
            merchant: string;
            /** @description As it was at the latest sale that it pays. */
            merchant_name: string;
            /**
             * Format: reais
             * @description What is paid, in reais.
             */
            amount: number;
            /**
             * @description `failed`: it is owed again, and the next batch pays it.
             * @enum {unknown}
             */
            status: "pending" | "paid" | "failed";
            /**
             * Format: date
             * @description The latest due day of what it pays, in São Paulo.
             */
            due_on: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            paid_at: string | null;
            /** @description What the bank calls it, once it is paid. */
            reference: string | null;
            /** Format: date-time */
            failed_at: string | null;
            /** @description Why it failed. */
            reason: string | null;
            /** @description The Pix key it is paid to. */
            pix_key: string | null;
            /** @description Whose account it is. */
            holder_name: string | null;
            /** @description CNPJ or CPF of the holder, digits alone. */
            tax_id: string | null;
        };
        StaffPixChargeItem: {
            id: string;
            /** @description What the payment provider knows it by. */
            txid: string;
            customer_id: string;
            checkout_hash: string;
            installment_id: string;
            /**
             * @description `settle` pays what is outstanding; `settle_with_penalty` that and the penalties; `settle_partial` a part; `extend` buys a later due day.
             * @enum {unknown}
             */
            type: "settle" | "settle_with_penalty" | "settle_partial" | "extend";
            /**
             * @description `cancelled`: money came for the installment by another charge, or a newer one of the same type replaced it.
             * @enum {unknown}
             */
            status: "pending" | "paid" | "expired" | "cancelled";
            /**
             * Format: reais
             * @description What is to be paid, in reais.
             */
            value: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string;
            /** Format: date-time */
            paid_at: string | null;
            /** @description Of the customer; masked below `support`. */
            customer_name: string | null;
        };
        StaffPost: {
            slug: string;
            title: string;
            summary: string;
            author: string;
            /** @description Markdown. */
            body: string;
            /** @description A web address, or a path under /media/. */
            cover_url: string | null;
            tags: string[];
            /** Format: date-time */
            published_at: string | null;
        };
        StaffProven: {
            /** @enum {unknown} */
            next: "done";
        };
        StaffReferral: {
            /** @description Who invited. */
            referrer_id: string;
            invited_id: string;
            /**
             * @description `rewarded` while enough of what was paid in time stands; `expired` after 90 days without.
             * @enum {unknown}
             */
            status: "registered" | "rewarded" | "expired";
            promised: {
                /**
                 * Format: reais
                 * @description To who invited, in reais.
                 */
                referrer: number;
                /**
                 * Format: reais
                 * @description To the invited, in reais.
                 */
                invited: number;
            };
            /**
             * Format: reais
             * @description What who invited got, in reais.
             */
            reward: number;
            /** Format: date-time */
            invited_at: string;
            /** Format: date-time */
            rewarded_at: string | null;
        };
        StaffSession: {
            id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            seen_at: string;
            address: string;
            /** @description The browser, as it tells itself. */
            agent: string;
            is_current: boolean;
        };
        StaffWaitingReturn: {
            id: string;
            /**
             * @description `made`: the operator let it through, and it is a return with the same id.
             * @enum {unknown}
             */
            status: "waiting" | "made" | "refused";
            checkout_hash: string;
            /**
             * Format: reais
             * @description What is to be returned, of what was bought for, in reais.
             */
            amount: number;
            reason: string;
            /** Format: date-time */
            asked_at: string;
            /**
             * Format: date-time
             * @description When the operator decided.
             */
            closed_at: string | null;
            /** @description Why the operator refused. */
            refusal: string | null;
            merchant: {
                slug: string;
                name: string;
            };
            customer_id: string;
        };
        StoryLine: {
            /** Format: date-time */
            at: string;
            /** @description What it is, for programs: `login`, `purchase`, `payment`, `refund`, ... */
            kind: string;
            /** @description A sentence in Portuguese. */
            text: string;
            checkout_hash?: string;
            installment_id?: string;
            pix_id?: string;
            end_to_end_id?: string;
            session_id?: string;
            message_id?: string;
            /** @description The entry of the audit trail. */
            trail_id?: number;
        };
        /** @description As agreed with the purchase; they never change. */
        Terms: {
            /** @description Interest a week; 0 splits the amount evenly, in percent. */
            weekly_rate_percent: number;
            /** @description Fine on what a due day left unpaid, once; at most 2, in percent. */
            fine_percent: number;
            /** @description Interest a month on what is late, simple, by the day; at most 1, in percent. */
            late_interest_percent: number;
            /** @description Price of an extension, on what is outstanding; at most 10, in percent. */
            extension_fee_percent: number;
            /** @description By how many days an extension moves the due day. */
            extension_days: number;
            /** @description How often an installment can be extended. */
            extension_limit: number;
            /** @description Share of each installment paid on time that comes back, in percent. */
            cashback_percent: number;
            /** @description What the credit costs in all a month (CET), a twelfth of the year, in percent. */
            cet_percent_month: number;
            /** @description What the credit costs in all a year of 365 days (CET), in percent. */
            cet_percent_year: number;
        };
        Today: {
            /**
             * Format: date
             * @description Today in São Paulo.
             */
            on: string;
            /** @description How many of each wait for somebody: orphans, refused refunds, approvals, returns, leads, webhooks. */
            waiting: {
                [key: string]: number;
            };
            weekly: components["schemas"]["WeeklyReport"];
            aging: components["schemas"]["AgingReport"];
        };
        WebhookDelivery: {
            /** @description Id of the event: the header `webhook-id`. */
            event: string;
            type: string;
            /** Format: date-time */
            occurred_at: string;
            /** @enum {unknown} */
            status: "pending" | "delivered" | "failed";
            /** @description Of eight, since it was asked for the last time. */
            tries: number;
            /**
             * Format: date-time
             * @description No sooner than this it is tried again.
             */
            next_try_at: string | null;
            /**
             * Format: date-time
             * @description When it was delivered or given up.
             */
            settled_at: string | null;
            /** @description The last ones, newest last. */
            attempts: {
                /** Format: date-time */
                at: string;
                /** @description What the receiver answered. */
                status: number | null;
                /** @description Why nothing was answered. */
                error: string | null;
                /** @description How long it took. */
                duration_ms: number;
                /** @description The first 2 KB of the answer. */
                answer: string | null;
            }[];
        };
        WebhookEndpoint: {
            id: string;
            /** @description Id of the partner. */
            partner: string;
            /** Format: uri */
            url: string;
            /** @description The types it is called for; none means all. */
            events: string[];
            /** @description Slug of the merchant of whose sales it is told, and of nothing else. Null: everything. */
            merchant: string | null;
            /** @enum {unknown} */
            status: "enabled" | "disabled";
            /** @description `operator`, `gone` (it answered 410) or `failing` (nothing but failures for five days). */
            disabled_reason: string | null;
            /**
             * Format: date-time
             * @description Since when it is disabled.
             */
            disabled_at: string | null;
            /**
             * Format: date-time
             * @description Since when nothing could be delivered.
             */
            failing_since: string | null;
            /**
             * Format: date-time
             * @description Until when the secret before this one signs as well.
             */
            old_secret_until: string | null;
            /** Format: date-time */
            created_at: string;
        };
        WebhookEndpointWithSecret: {
            id: string;
            /** @description Id of the partner. */
            partner: string;
            /** Format: uri */
            url: string;
            /** @description The types it is called for; none means all. */
            events: string[];
            /** @description Slug of the merchant of whose sales it is told, and of nothing else. Null: everything. */
            merchant: string | null;
            /** @enum {unknown} */
            status: "enabled" | "disabled";
            /** @description `operator`, `gone` (it answered 410) or `failing` (nothing but failures for five days). */
            disabled_reason: string | null;
            /**
             * Format: date-time
             * @description Since when it is disabled.
             */
            disabled_at: string | null;
            /**
             * Format: date-time
             * @description Since when nothing could be delivered.
             */
            failing_since: string | null;
            /**
             * Format: date-time
             * @description Until when the secret before this one signs as well.
             */
            old_secret_until: string | null;
            /** Format: date-time */
            created_at: string;
            /** @description What deliveries are signed with. It is not shown again. */
            secret: string;
        };
        WebhookOrder: {
            /**
             * Format: text
             * @description Id or name of the partner.
             */
            partner: string;
            /**
             * Format: text
             * @description Where it wants to be called: https, in the sandbox http as well.
             */
            url: string;
            /** @description Only these types; without it, or empty, all. */
            events?: ("lead.received" | "customer.registered" | "checkout.created" | "checkout.paid" | "checkout.overdue" | "checkout.returned" | "installment.paid" | "installment.overdue" | "installment.extended" | "installment.overpaid" | "installment.payment_changed" | "installment.reopened" | "pix.created" | "pix.paid" | "pix.expired" | "pix.refunded" | "pix.moved" | "autopay.activated" | "autopay.ended" | "autopay.failed" | "cashback.changed" | "referral.rewarded" | "offer.created" | "offer.claimed" | "offer.accepted" | "offer.declined" | "offer.expired" | "offer.cancelled" | "credit.review" | "credit.decided" | "credit.limit_changed" | "payout.paid")[];
            /** @description Only of the sales of this merchant. Without it, of everything the partner is told. */
            merchant?: string;
        };
        WeeklyReport: {
            /**
             * Format: date
             * @description The report is as of the end of this day in São Paulo; of today, as of now.
             */
            on: string;
            /**
             * Format: date-time
             * @description Of a day that is over: when it was worked out from the facts. What is heard of it later is in the days after.
             */
            worked_out_at: string;
            /** @description Eight weeks before the one of the day, that one, and four after it. */
            data: {
                /**
                 * Format: date
                 * @description The Monday it begins with.
                 */
                week: string;
                /**
                 * Format: reais
                 * @description What falls due in it, extensions and returns included, in reais.
                 */
                expected: number;
                /**
                 * Format: reais
                 * @description What arrived in it by Pix or by hand, for whichever installment, penalties and fees included, in reais.
                 */
                received: number;
                /**
                 * Format: reais
                 * @description What went back to payers in it, in reais.
                 */
                refunded: number;
            }[];
        };
        WriteOffOrder: {
            /**
             * Format: text
             * @description Why.
             */
            reason: string;
        };
        WriteOffState: {
            checkout_hash: string;
            customer_id: string;
            /** Format: date-time */
            written_off_at: string | null;
            /**
             * Format: reais
             * @description What is left of the amount: owed, and a loss while it is written off, in reais.
             */
            outstanding: number;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export interface operations {
    listApprovals: {
        parameters: {
            query?: {
                /** @description Which page; the first is 1. */
                page?: number;
                /** @description How many to a page, at most 100. */
                limit?: number;
                /** @description The rows after these: `pagination.next` of the page before. */
                after?: string;
                /** @description The rows before these: `pagination.prev` of the page after. */
                before?: string;
                /** @description What comes first; the newest unless sent. */
                sort?: "newest" | "oldest";
                /** @description Only those in this status. */
                status?: "waiting" | "approved" | "refused" | "failed" | "expired";
                /** @description Asked for on or after this day, in São Paulo. */
                from?: string;
                /** @description Asked for on or before this day, in São Paulo. */
                to?: string;
                /** @description Answers with CSV, as `Accept: text/csv` does. `br`: semicolons, decimal commas and a byte order mark, for a spreadsheet set up for Brazil; so it is too when `Accept-Language` prefers Portuguese. `plain`: RFC 4180. */
                csv?: "plain" | "br";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of approvals. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Approval"][];
                        pagination: components["schemas"]["ListPagination"];
                    };
                    "text/csv": string;
                };
            };
        };
    };
    getApproval: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The approval. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Approval"];
                };
            };
        };
    };
    approveAct: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovedAct"];
                };
            };
        };
    };
    refuseAct: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApprovalRefusal"];
            };
        };
        responses: {
            /** @description The approval, refused. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Approval"];
                };
            };
        };
    };
    listAuditTrail: {
        parameters: {
            query?: {
                /** @description Which page; the first is 1. */
                page?: number;
                /** @description How many to a page, at most 100. */
                limit?: number;
                /** @description The rows after these: `pagination.next` of the page before. */
                after?: string;
                /** @description The rows before these: `pagination.prev` of the page after. */
                before?: string;
                /** @description What comes first; the newest unless sent. */
                sort?: "newest" | "oldest";
                /** @description Id of a person, or as the trail has it. */
                actor?: string;
                /** @description What was changed: a kind, or a kind and an id. */
                subject?: string;
                /** @description From this instant on. */
                since?: string;
                /** @description Answers with CSV, as `Accept: text/csv` does. `br`: semicolons, decimal commas and a byte order mark, for a spreadsheet set up for Brazil; so it is too when `Accept-Language` prefers Portuguese. `plain`: RFC 4180. */
                csv?: "plain" | "br";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of changes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AuditTrailEntry"][];
                        pagination: components["schemas"]["ListPagination"];
                    };
                    "text/csv": string;
                };
            };
        };
    };
    listCashbackOfAll: {
        parameters: {
            query?: {
                /** @description Which page; the first is 1. */
                page?: number;
                /** @description How many to a page, at most 100. */
                limit?: number;
                /** @description The rows after these: `pagination.next` of the page before. */
                after?: string;
                /** @description The rows before these: `pagination.prev` of the page after. */
                before?: string;
                /** @description What comes first; the newest unless sent. */
                sort?: "newest" | "oldest";
                kind?: "earned" | "referral" | "redeemed" | "expired" | "reversed" | "adjusted";
                /** @description Id or phone of the customer. */
                customer?: string;
                /** @description Written on or after this day, in São Paulo. */
                from?: string;
                /** @description Written on or before this day, in São Paulo. */
                to?: string;
                /** @description Answers with CSV, as `Accept: text/csv` does. `br`: semicolons, decimal commas and a byte order mark, for a spreadsheet set up for Brazil; so it is too when `Accept-Language` prefers Portuguese. `plain`: RFC 4180. */
                csv?: "plain" | "br";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of lines. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["StaffCashbackItem"][];
                        pagination: components["schemas"]["ListPagination"];
                        /** @description Of all that the filter finds. */
                        totals?: {
                            /**
                             * Format: reais
                             * @description What the movements come to, of all pages, in reais.
                             */
                            amount: number;
                        };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    getCashbackOfCustomer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id or phone of the customer. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What they have, and until when. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffCashbackShown"];
                };
            };
        };
    };
    adjustCashback: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id or phone of the customer. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CashbackAdjustment"];
            };
        };
        responses: {
            /** @description What they have after it. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffCashback"];
                };
            };
            /** @description It waits for a second person. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        approval: components["schemas"]["Approval"];
                    };
                };
            };
        };
    };
    listCategoryForStaff: {
        parameters: {
            query?: {
                /** @description Which page; the first is 1. */
                page?: number;
                /** @description How many to a page, at most 100. */
                limit?: number;
                /** @description What stands in the name, without regard to case and accents. */
                q?: string;
                /** @description Answers with CSV, as `Accept: text/csv` does. `br`: semicolons, decimal commas and a byte order mark, for a spreadsheet set up for Brazil; so it is too when `Accept-Language` prefers Portuguese. `plain`: RFC 4180. */
                csv?: "plain" | "br";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of categories, by slug. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["StaffCategory"][];
                        pagination: components["schemas"]["ListPagination"];
                    };
                    "text/csv": string;
                };
            };
        };
    };
    createCategory: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    slug: string;
                    name: string;
                };
            };
        };
        responses: {
            /** @description The category. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffCategory"];
                };
            };
        };
    };
    getCategoryForStaff: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The slug, as in lists. */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The category. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffCategory"];
                };
            };
        };
    };
    removeCategory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The slug, as in lists. */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    changeCategory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The slug, as in lists. */
                slug: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                };
            };
        };
        responses: {
            /** @description The category. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffCategory"];
                };
            };
        };
    };
    listCheckoutsOfAll: {
        parameters: {
            query?: {
                /** @description Which page; the first is 1. */
                page?: number;
                /** @description How many to a page, at most 100. */
                limit?: number;
                /** @description The rows after these: `pagination.next` of the page before. */
                after?: string;
                /** @description The rows before these: `pagination.prev` of the page after. */
                before?: string;
                /** @description What comes first; the newest unless sent. */
                sort?: "newest" | "oldest";
                /** @description Only those in this status now. */
                status?: "open" | "overdue" | "paid";
                /** @description Only those that are, or are not. */
                written_off?: "true" | "false";
                /** @description Slug of the merchant. */
                merchant?: string;
                /** @description Id or phone of the customer. */
                customer?: string;
                /** @description What the merchant calls the offer it came of. */
                reference?: string;
                /** @description Bought on or after this day, in São Paulo. */
                from?: string;
                /** @description Bought on or before this day, in São Paulo. */
                to?: string;
                /** @description Answers with CSV, as `Accept: text/csv` does. `br`: semicolons, decimal commas and a byte order mark, for a spreadsheet set up for Brazil; so it is too when `Accept-Language` prefers Portuguese. `plain`: RFC 4180. */
                csv?: "plain" | "br";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of purchases. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["OperatorCheckoutItem"][];
                        pagination: components["schemas"]["ListPagination"];
                        /** @description Of all that the filter finds. */
                        totals?: {
                            /**
                             * Format: reais
                             * @description What was financed, of all pages, in reais.
                             */
                            amount: number;
                        };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    createCheckout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CheckoutOrder"];
            };
        };
        responses: {
            /** @description A dry run: what it would come to. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorCheckoutShown"];
                };
            };
            /** @description The purchase. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorCheckoutShown"];
                };
            };
        };
    };
    getCheckoutOfAnybody: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The hash, as in lists. */
                hash: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The purchase, and what the credit costs. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorCheckoutShown"];
                };
            };
        };
    };
    reinstateCheckout: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The hash, as in lists. */
                hash: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WriteOffOrder"];
            };
        };
        responses: {
            /** @description How it stands. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteOffState"];
                };
            };
        };
    };
    returnCheckout: {
        parameters: {
            query?: {
                /** @description Only says what it would do. */
                dry_run?: "true" | "false";
            };
            header?: never;
            path: {
                /** @description The hash, as in lists. */
                hash: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReturnOrder"];
            };
        };
        responses: {
            /** @description A dry run: what it would do. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorReturn"];
                };
            };
            /** @description What came of it. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorReturn"];
                };
            };
        };
    };
    writeOffCheckout: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The hash, as in lists. */
                hash: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WriteOffOrder"];
            };
        };
        responses: {
            /** @description How it stands. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WriteOffState"];
                };
            };
            /** @description It waits for a second person. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        approval: components["schemas"]["Approval"];
                    };
                };
            };
        };
    };
    listCreditDecisions: {
        parameters: {
            query?: {
                /** @description Which page; the first is 1. */
                page?: number;
                /** @description How many to a page, at most 100. */
                limit?: number;
                /** @description The rows after these: `pagination.next` of the page before. */
                after?: string;
                /** @description The rows before these: `pagination.prev` of the page after. */
                before?: string;
                /** @description What comes first; the newest unless sent. */
                sort?: "newest" | "oldest";
                /** @description Id or phone of the customer. */
                customer?: string;
                outcome?: "approved" | "review" | "declined";
                /** @description Answers with CSV, as `Accept: text/csv` does. `br`: semicolons, decimal commas and a byte order mark, for a spreadsheet set up for Brazil; so it is too when `Accept-Language` prefers Portuguese. `plain`: RFC 4180. */
                csv?: "plain" | "br";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of decisions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CreditDecision"][];
                        pagination: components["schemas"]["ListPagination"];
                    };
                    "text/csv": string;
                };
            };
        };
    };
    approveCreditDecision: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreditApproval"];
            };
        };
        responses: {
            /** @description The decision as it stands. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreditDecision"];
                };
            };
            /** @description It waits for a second person. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        approval: components["schemas"]["Approval"];
                    };
                };
            };
        };
    };
    declineCreditDecision: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreditRefusal"];
            };
        };
        responses: {
            /** @description The decision as it stands. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreditDecision"];
                };
            };
        };
    };
    getCreditPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The policy. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreditPolicyInForce"];
                };
            };
        };
    };
    setCreditPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreditPolicyForm"];
            };
        };
        responses: {
            /** @description What is in force now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreditPolicyInForce"];
                };
            };
            /** @description It waits for a second person. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        approval: components["schemas"]["Approval"];
                    };
                };
            };
        };
    };
    tryCreditPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreditPolicyTry"];
            };
        };
        responses: {
            /** @description What it would have decided. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreditPolicyTried"];
                };
            };
        };
    };
    listCustomers: {
        parameters: {
            query?: {
                /** @description Which page; the first is 1. */
                page?: number;
                /** @description How many to a page, at most 100. */
                limit?: number;
                /** @description The rows after these: `pagination.next` of the page before. */
                after?: string;
                /** @description The rows before these: `pagination.prev` of the page after. */
                before?: string;
                /** @description What comes first. */
                sort?: "newest" | "oldest";
                /** @description How words of the name begin, in any order, without regard to case and accents. */
                name?: string;
                /** @description A name, an e-mail, a phone or a CPF, by what it looks like. */
                q?: string;
                /** @description As people write it, or its last four or more digits. */
                phone?: string;
                /** @description The whole e-mail, without regard to case. */
                email?: string;
                /** @description With or without punctuation. */
                cpf?: string;
                /** @description `overdue`: something of theirs is late today. */
                status?: "active" | "locked" | "erased" | "overdue";
                /** @description Answers with CSV, as `Accept: text/csv` does. `br`: semicolons, decimal commas and a byte order mark, for a spreadsheet set up for Brazil; so it is too when `Accept-Language` prefers Portuguese. `plain`: RFC 4180. */
                csv?: "plain" | "br";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of customers. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CustomerItem"][];
                        pagination: components["schemas"]["ListPagination"];
                    };
                    "text/csv": string;
                };
            };
        };
    };
    createCustomer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CustomerForm"];
            };
        };
        responses: {
            /** @description The customer. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorCustomer"];
                };
            };
        };
    };
    getCustomer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id or phone. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The customer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorCustomer"];
                };
            };
        };
    };
    changeCustomer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id or phone. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CustomerChange"];
            };
        };
        responses: {
            /** @description The customer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorCustomer"];
                };
            };
            /** @description It waits for a second person. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        approval: components["schemas"]["Approval"];
                    };
                };
            };
        };
    };
    eraseCustomer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id or phone. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ErasureForm"];
            };
        };
        responses: {
            /** @description What is left. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorCustomer"];
                };
            };
        };
    };
    exportCustomer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id or phone. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Everything, by table. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerExport"];
                };
            };
        };
    };
    lockCustomer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id or phone. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ReasonForm"];
            };
        };
        responses: {
            /** @description The customer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorCustomer"];
                };
            };
        };
    };
    cancelPhoneChange: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id or phone. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ReasonForm"];
            };
        };
        responses: {
            /** @description The customer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorCustomer"];
                };
            };
        };
    };
    sendPhoneChangeCode: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id or phone. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A code is on its way to the old phone. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodeOnItsWay"];
                };
            };
        };
    };
    confirmPhoneChange: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id or phone. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PhoneConfirmation"];
            };
        };
        responses: {
            /** @description The customer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorCustomer"];
                };
            };
        };
    };
    getCustomerStory: {
        parameters: {
            query?: {
                /** @description Which page; the first is 1. */
                page?: number;
                /** @description How many to a page, at most 100. */
                limit?: number;
                /** @description Answers with CSV, as `Accept: text/csv` does. `br`: semicolons, decimal commas and a byte order mark, for a spreadsheet set up for Brazil; so it is too when `Accept-Language` prefers Portuguese. `plain`: RFC 4180. */
                csv?: "plain" | "br";
            };
            header?: never;
            path: {
                /** @description Id or phone. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the story. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["StoryLine"][];
                        pagination: components["schemas"]["ListPagination"];
                    };
                    "text/csv": string;
                };
            };
        };
    };
    unlockCustomer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id or phone. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ReasonForm"];
            };
        };
        responses: {
            /** @description The customer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorCustomer"];
                };
            };
        };
    };
    searchEvents: {
        parameters: {
            query?: {
                /** @description Which page; the first is 1. */
                page?: number;
                /** @description How many to a page, at most 100. */
                limit?: number;
                /** @description The rows after these: `pagination.next` of the page before. */
                after?: string;
                /** @description The rows before these: `pagination.prev` of the page after. */
                before?: string;
                /** @description What comes first; the newest unless sent. */
                sort?: "newest" | "oldest";
                type?: "lead.received" | "customer.registered" | "checkout.created" | "checkout.paid" | "checkout.overdue" | "checkout.returned" | "installment.paid" | "installment.overdue" | "installment.extended" | "installment.overpaid" | "installment.payment_changed" | "installment.reopened" | "pix.created" | "pix.paid" | "pix.expired" | "pix.refunded" | "pix.moved" | "autopay.activated" | "autopay.ended" | "autopay.failed" | "cashback.changed" | "referral.rewarded" | "offer.created" | "offer.claimed" | "offer.accepted" | "offer.declined" | "offer.expired" | "offer.cancelled" | "credit.review" | "credit.decided" | "credit.limit_changed" | "payout.paid" | "webhook.disabled";
                /** @description Id of the customer. */
                customer?: string;
                /** @description Hash of the purchase. */
                checkout?: string;
                /** @description Happened on or after this day, in São Paulo. */
                from?: string;
                /** @description Happened on or before this day, in São Paulo. */
                to?: string;
                /** @description Answers with CSV, as `Accept: text/csv` does. `br`: semicolons, decimal commas and a byte order mark, for a spreadsheet set up for Brazil; so it is too when `Accept-Language` prefers Portuguese. `plain`: RFC 4180. */
                csv?: "plain" | "br";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["StaffEvent"][];
                        pagination: components["schemas"]["ListPagination"];
                    };
                    "text/csv": string;
                };
            };
        };
    };
    listFaqEntryForStaff: {
        parameters: {
            query?: {
                /** @description Which page; the first is 1. */
                page?: number;
                /** @description How many to a page, at most 100. */
                limit?: number;
                /** @description What stands in question or answer, without regard to case and accents. */
                q?: string;
                topic?: string;
                listed?: "true" | "false";
                /** @description Answers with CSV, as `Accept: text/csv` does. `br`: semicolons, decimal commas and a byte order mark, for a spreadsheet set up for Brazil; so it is too when `Accept-Language` prefers Portuguese. `plain`: RFC 4180. */
                csv?: "plain" | "br";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of questions, by topic and place. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["StaffFaqEntry"][];
                        pagination: components["schemas"]["ListPagination"];
                    };
                    "text/csv": string;
                };
            };
        };
    };
    createFaqEntry: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    id: string;
                    /** @description What it is about. */
                    topic: string;
                    question: string;
                    answer: string;
                    /** @description Its place in the topic. */
                    position?: number;
                    listed?: boolean;
                };
            };
        };
        responses: {
            /** @description The question. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffFaqEntry"];
                };
            };
        };
    };
    getFaqEntryForStaff: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id, as in lists. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The question. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffFaqEntry"];
                };
            };
        };
    };
    removeFaqEntry: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id, as in lists. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    changeFaqEntry: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id, as in lists. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What it is about. */
                    topic?: string;
                    question?: string;
                    answer?: string;
                    /** @description Its place in the topic. */
                    position?: number;
                    listed?: boolean;
                };
            };
        };
        responses: {
            /** @description The question. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffFaqEntry"];
                };
            };
        };
    };
    importContent: {
        parameters: {
            query?: {
                /** @description Only says what would change. */
                dry_run?: "true" | "false";
                /** @description CSV unless sent. */
                format?: "csv" | "jsonl";
                /** @description UTF-8 unless sent. */
                encoding?: "utf-8" | "latin1";
            };
            header?: never;
            path: {
                kind: "categories" | "merchants" | "faq" | "posts";
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "text/csv": unknown;
                "application/x-ndjson": unknown;
            };
        };
        responses: {
            /** @description What changed, or would. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportOutcome"];
                };
            };
        };
    };
    listKeys: {
        parameters: {
            query?: {
                /** @description Which page; the first is 1. */
                page?: number;
                /** @description How many to a page, at most 100. */
                limit?: number;
                /** @description Only those of this partner: id or name. */
                partner?: string;
                /** @description Answers with CSV, as `Accept: text/csv` does. `br`: semicolons, decimal commas and a byte order mark, for a spreadsheet set up for Brazil; so it is too when `Accept-Language` prefers Portuguese. `plain`: RFC 4180. */
                csv?: "plain" | "br";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of keys, by partner. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ApiKeyItem"][];
                        pagination: components["schemas"]["ListPagination"];
                    };
                    "text/csv": string;
                };
            };
        };
    };
    createKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: text
                     * @description Id or name of the partner.
                     */
                    partner: string;
                    /** @description What the key may do. `merchant` needs `merchant`; `till` is for applications of merchants’ people, and never with `merchant`. People get theirs with `POST /admin/staff`. */
                    scopes: ("public" | "wallet" | "merchant" | "till")[];
                    /**
                     * Format: text
                     * @description What the key is for.
                     */
                    label?: string;
                    /** @description Slug of the merchant whose key it is. */
                    merchant?: string;
                    /** @description Browser origins that may use it, `*` for all. None: servers only. */
                    origins?: string[];
                    /** @description Origins that `return_url` of offers made with it may have: https, in the sandbox also http on this machine. */
                    return_origins?: string[];
                    /** @description Its header x-client-ip names the consumer’s address. */
                    backend?: boolean;
                    /** @description Requests a minute, 1200 unless set; null: no limit. */
                    requests_per_minute?: number | null;
                };
            };
        };
        responses: {
            /** @description The key. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewApiKey"];
                };
            };
        };
    };
    changeKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The key. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Origins that `return_url` of offers made with it may have: https, in the sandbox also http on this machine. */
                    return_origins: string[];
                };
            };
        };
        responses: {
            /** @description The key. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
        };
    };
    revokeKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The key. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
        };
    };
    rotateKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The key. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description How long both work, 24 unless set. */
                    overlap_hours?: number;
                };
            };
        };
        responses: {
            /** @description The successor. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewApiKey"];
                };
            };
        };
    };
    listLeads: {
        parameters: {
            query?: {
                /** @description Which page; the first is 1. */
                page?: number;
                /** @description How many to a page, at most 100. */
                limit?: number;
                /** @description The rows after these: `pagination.next` of the page before. */
                after?: string;
                /** @description The rows before these: `pagination.prev` of the page after. */
                before?: string;
                /** @description What comes first; the newest unless sent. */
                sort?: "newest" | "oldest";
                /** @description Which form it is, e.g. `partner`. */
                kind?: string;
                status?: "new" | "handled";
                /** @description How words of name, company or e-mail begin; or a whole phone, e.g. +5511987654321. */
                q?: string;
                /** @description Received on or after this day, in São Paulo. */
                from?: string;
                /** @description Received on or before this day, in São Paulo. */
                to?: string;
                /** @description Answers with CSV, as `Accept: text/csv` does. `br`: semicolons, decimal commas and a byte order mark, for a spreadsheet set up for Brazil; so it is too when `Accept-Language` prefers Portuguese. `plain`: RFC 4180. */
                csv?: "plain" | "br";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of forms. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["StaffLead"][];
                        pagination: components["schemas"]["ListPagination"];
                    };
                    "text/csv": string;
                };
            };
        };
    };
    getLead: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The form. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffLead"];
                };
            };
        };
    };
    removeLead: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    changeLead: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {unknown} */
                    status?: "new" | "handled";
                    note?: string | null;
                };
            };
        };
        responses: {
            /** @description The form. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffLead"];
                };
            };
        };
    };
    makeMerchantOfLead: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LeadMerchantForm"];
            };
        };
        responses: {
            /** @description The merchant and its owner. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LeadMerchant"];
                };
            };
        };
    };
    getStaffMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The person. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffMe"];
                };
            };
        };
    };
    listMedia: {
        parameters: {
            query?: {
                /** @description Which page; the first is 1. */
                page?: number;
                /** @description How many to a page, at most 100. */
                limit?: number;
                /** @description Only those that nothing shows. */
                unused?: "true";
                /** @description Answers with CSV, as `Accept: text/csv` does. `br`: semicolons, decimal commas and a byte order mark, for a spreadsheet set up for Brazil; so it is too when `Accept-Language` prefers Portuguese. `plain`: RFC 4180. */
                csv?: "plain" | "br";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of pictures, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Media"][];
                        pagination: components["schemas"]["ListPagination"];
                    };
                    "text/csv": string;
                };
            };
        };
    };
    addMedia: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "image/png": unknown;
                "image/jpeg": unknown;
                "image/webp": unknown;
                "image/svg+xml": unknown;
            };
        };
        responses: {
            /** @description It was there already. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Media"];
                };
            };
            /** @description The file. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Media"];
                };
            };
        };
    };
    getMediaOfStaff: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The picture. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/*": string;
                };
            };
        };
    };
    removeMedia: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listMerchantForStaff: {
        parameters: {
            query?: {
                /** @description Which page; the first is 1. */
                page?: number;
                /** @description How many to a page, at most 100. */
                limit?: number;
                /** @description How words of name, category or city begin, without regard to case and accents. */
                q?: string;
                category?: string;
                listed?: "true" | "false";
                /** @description What comes first; by name unless sent. */
                sort?: "newest" | "oldest";
                /** @description Answers with CSV, as `Accept: text/csv` does. `br`: semicolons, decimal commas and a byte order mark, for a spreadsheet set up for Brazil; so it is too when `Accept-Language` prefers Portuguese. `plain`: RFC 4180. */
                csv?: "plain" | "br";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of merchants. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["StaffMerchant"][];
                        pagination: components["schemas"]["ListPagination"];
                    };
                    "text/csv": string;
                };
            };
        };
    };
    createMerchant: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Identifies the merchant in addresses. */
                    slug: string;
                    name: string;
                    /** @description Slug of its category. */
                    category: string;
                    description?: string | null;
                    /** @description A web address, or a path under /media/. */
                    logo_url?: string | null;
                    city?: string | null;
                    /** @description Two letters, e.g. SP. */
                    state?: string | null;
                    website?: string | null;
                    /** @description Whether the catalog shows it. */
                    listed?: boolean;
                    plan?: {
                        /** @description Interest a week. At most four decimals. */
                        weekly_rate_percent?: number;
                        max_installments?: number;
                        /**
                         * Format: reais
                         * @description The least a purchase may be for.
                         */
                        min_amount?: number;
                        /**
                         * Format: reais
                         * @description The most.
                         */
                        max_amount?: number;
                        /** @description What of each installment paid on time comes back to the customer. At most four decimals. */
                        cashback_percent?: number;
                        /** @description What the operator keeps of a sale. At most four decimals. */
                        merchant_fee_percent?: number;
                        /** @description Business days until a sale is paid out. */
                        payout_days?: number;
                    };
                };
            };
        };
        responses: {
            /** @description The merchant. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffMerchant"];
                };
            };
        };
    };
    getMerchantForStaff: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The slug, as in lists. */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The merchant. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffMerchant"];
                };
            };
        };
    };
    removeMerchant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The slug, as in lists. */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    changeMerchant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The slug, as in lists. */
                slug: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    /** @description Slug of its category. */
                    category?: string;
                    description?: string | null;
                    /** @description A web address, or a path under /media/. */
                    logo_url?: string | null;
                    city?: string | null;
                    /** @description Two letters, e.g. SP. */
                    state?: string | null;
                    website?: string | null;
                    /** @description Whether the catalog shows it. */
                    listed?: boolean;
                    plan?: {
                        /** @description Interest a week. At most four decimals. */
                        weekly_rate_percent?: number;
                        max_installments?: number;
                        /**
                         * Format: reais
                         * @description The least a purchase may be for.
                         */
                        min_amount?: number;
                        /**
                         * Format: reais
                         * @description The most.
                         */
                        max_amount?: number;
                        /** @description What of each installment paid on time comes back to the customer. At most four decimals. */
                        cashback_percent?: number;
                        /** @description What the operator keeps of a sale. At most four decimals. */
                        merchant_fee_percent?: number;
                        /** @description Business days until a sale is paid out. */
                        payout_days?: number;
                    };
                };
            };
        };
        responses: {
            /** @description The merchant. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffMerchant"];
                };
            };
        };
    };
    setMerchantLogo: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The slug, as in lists. */
                slug: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "image/png": unknown;
                "image/jpeg": unknown;
                "image/webp": unknown;
                "image/svg+xml": unknown;
            };
        };
        responses: {
            /** @description The merchant. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffMerchant"];
                };
            };
        };
    };
    listMerchantMembers: {
        parameters: {
            query?: {
                /** @description Which page; the first is 1. */
                page?: number;
                /** @description How many to a page, at most 100. */
                limit?: number;
                /** @description Those too who were removed. */
                removed?: "true" | "false";
                /** @description Answers with CSV, as `Accept: text/csv` does. `br`: semicolons, decimal commas and a byte order mark, for a spreadsheet set up for Brazil; so it is too when `Accept-Language` prefers Portuguese. `plain`: RFC 4180. */
                csv?: "plain" | "br";
            };
            header?: never;
            path: {
                /** @description The slug, as in lists. */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of members, the oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MerchantMember"][];
                        pagination: components["schemas"]["ListPagination"];
                    };
                    "text/csv": string;
                };
            };
        };
    };
    addMerchantMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The slug, as in lists. */
                slug: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MemberForm"];
            };
        };
        responses: {
            /** @description The member. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MerchantMember"];
                };
            };
        };
    };
    removeMerchantMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The merchant. */
                slug: string;
                /** @description The member. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description They are out. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getPayoutAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The slug, as in lists. */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account; null where nothing is known. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutAccount"];
                };
            };
        };
    };
    setPayoutAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The slug, as in lists. */
                slug: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayoutAccountForm"];
            };
        };
        responses: {
            /** @description The account. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutAccount"];
                };
            };
            /** @description It waits for a second person. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        approval: components["schemas"]["Approval"];
                    };
                };
            };
        };
    };
    stopPayoutAccountChange: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The slug, as in lists. */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutAccount"];
                };
            };
        };
    };
    listOffersOfAll: {
        parameters: {
            query?: {
                /** @description Which page; the first is 1. */
                page?: number;
                /** @description How many to a page, at most 100. */
                limit?: number;
                /** @description The rows after these: `pagination.next` of the page before. */
                after?: string;
                /** @description The rows before these: `pagination.prev` of the page after. */
                before?: string;
                /** @description What comes first; the newest unless sent. */
                sort?: "newest" | "oldest";
                /** @description Only those in this status now. */
                status?: "pending" | "accepted" | "declined" | "expired" | "cancelled";
                /** @description Slug of the merchant. */
                merchant?: string;
                /** @description Id or phone of the customer who accepted it. */
                customer?: string;
                /** @description What the merchant calls it. */
                reference?: string;
                /** @description Made on or after this day, in São Paulo. */
                from?: string;
                /** @description Made on or before this day, in São Paulo. */
                to?: string;
                /** @description Answers with CSV, as `Accept: text/csv` does. `br`: semicolons, decimal commas and a byte order mark, for a spreadsheet set up for Brazil; so it is too when `Accept-Language` prefers Portuguese. `plain`: RFC 4180. */
                csv?: "plain" | "br";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of offers. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["StaffOfferItem"][];
                        pagination: components["schemas"]["ListPagination"];
                        /** @description Of all that the filter finds. */
                        totals?: {
                            /**
                             * Format: reais
                             * @description What is offered, of all pages, in reais.
                             */
                            amount: number;
                        };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    createOfferForMerchant: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StaffOfferOrder"];
            };
        };
        responses: {
            /** @description A dry run; or the merchant has an offer of this reference already: this one. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffOffer"];
                };
            };
            /** @description The offer. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffOffer"];
                };
            };
        };
    };
    getOfferOfAnybody: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id, as in lists. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The offer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffOffer"];
                };
            };
        };
    };
    cancelOfferOfAnybody: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id, as in lists. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The offer, cancelled. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffOfferItem"];
                };
            };
        };
    };
    listPartners: {
        parameters: {
            query?: {
                /** @description Which page; the first is 1. */
                page?: number;
                /** @description How many to a page, at most 100. */
                limit?: number;
                /** @description Answers with CSV, as `Accept: text/csv` does. `br`: semicolons, decimal commas and a byte order mark, for a spreadsheet set up for Brazil; so it is too when `Accept-Language` prefers Portuguese. `plain`: RFC 4180. */
                csv?: "plain" | "br";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of partners, oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Partner"][];
                        pagination: components["schemas"]["ListPagination"];
                    };
                    "text/csv": string;
                };
            };
        };
    };
    createPartner: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: text
                     * @description What people call it. Unique.
                     */
                    name: string;
                };
            };
        };
        responses: {
            /** @description The partner. It needs a key next. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Partner"];
                };
            };
        };
    };
    listPayouts: {
        parameters: {
            query?: {
                /** @description Which page; the first is 1. */
                page?: number;
                /** @description How many to a page, at most 100. */
                limit?: number;
                /** @description The rows after these: `pagination.next` of the page before. */
                after?: string;
                /** @description The rows before these: `pagination.prev` of the page after. */
                before?: string;
                /** @description What comes first; the newest unless sent. */
                sort?: "newest" | "oldest";
                status?: "pending" | "paid" | "failed";
                /** @description Slug of the merchant. */
                merchant?: string;
                /** @description Made on or after this day, in São Paulo. */
                from?: string;
                /** @description Made on or before this day, in São Paulo. */
                to?: string;
                /** @description Answers with CSV, as `Accept: text/csv` does. `br`: semicolons, decimal commas and a byte order mark, for a spreadsheet set up for Brazil; so it is too when `Accept-Language` prefers Portuguese. `plain`: RFC 4180. */
                csv?: "plain" | "br";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of payouts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["StaffPayoutItem"][];
                        pagination: components["schemas"]["ListPagination"];
                        /** @description Of all that the filter finds. */
                        totals?: {
                            /**
                             * Format: reais
                             * @description What is paid out, of all pages, in reais.
                             */
                            amount: number;
                        };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    createPayouts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PayoutBatch"];
            };
        };
        responses: {
            /** @description The payouts that were made, by merchant; none when nothing is due. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Payout"][];
                    };
                };
            };
            /** @description It waits for a second person. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        approval: components["schemas"]["Approval"];
                    };
                };
            };
        };
    };
    getPayout: {
        parameters: {
            query?: {
                /** @description Which page; the first is 1. */
                page?: number;
                /** @description How many to a page, at most 100. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description The payout. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The payout. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutWithLines"];
                };
            };
        };
    };
    markPayoutFailed: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The payout. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayoutFailed"];
            };
        };
        responses: {
            /** @description The payout. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payout"];
                };
            };
        };
    };
    markPayoutPaid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The payout. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayoutPaid"];
            };
        };
        responses: {
            /** @description The payout. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payout"];
                };
            };
        };
    };
    listPixCharges: {
        parameters: {
            query?: {
                /** @description Which page; the first is 1. */
                page?: number;
                /** @description How many to a page, at most 100. */
                limit?: number;
                /** @description The rows after these: `pagination.next` of the page before. */
                after?: string;
                /** @description The rows before these: `pagination.prev` of the page after. */
                before?: string;
                /** @description What comes first; the newest unless sent. */
                sort?: "newest" | "oldest";
                /** @description Only those in this status now. */
                status?: "pending" | "paid" | "expired" | "cancelled";
                type?: "settle" | "settle_with_penalty" | "settle_partial" | "extend";
                /** @description Id or phone of the customer. */
                customer?: string;
                /** @description Made on or after this day, in São Paulo. */
                from?: string;
                /** @description Made on or before this day, in São Paulo. */
                to?: string;
                /** @description Answers with CSV, as `Accept: text/csv` does. `br`: semicolons, decimal commas and a byte order mark, for a spreadsheet set up for Brazil; so it is too when `Accept-Language` prefers Portuguese. `plain`: RFC 4180. */
                csv?: "plain" | "br";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of charges. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["StaffPixChargeItem"][];
                        pagination: components["schemas"]["ListPagination"];
                        /** @description Of all that the filter finds. */
                        totals?: {
                            /**
                             * Format: reais
                             * @description What is charged, of all pages, in reais.
                             */
                            amount: number;
                        };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    getPixCharge: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The charge, or its txid. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The charge as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffPixChargeItem"];
                };
            };
        };
    };
    listPixDiscrepancies: {
        parameters: {
            query?: {
                /** @description Which page; the first is 1. */
                page?: number;
                /** @description How many to a page, at most 100. */
                limit?: number;
                /** @description Answers with CSV, as `Accept: text/csv` does. `br`: semicolons, decimal commas and a byte order mark, for a spreadsheet set up for Brazil; so it is too when `Accept-Language` prefers Portuguese. `plain`: RFC 4180. */
                csv?: "plain" | "br";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of discrepancies. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PixDiscrepancy"][];
                        pagination: components["schemas"]["ListPagination"];
                    };
                    "text/csv": string;
                };
            };
        };
    };
    listPixOrphans: {
        parameters: {
            query?: {
                /** @description Which page; the first is 1. */
                page?: number;
                /** @description How many to a page, at most 100. */
                limit?: number;
                /** @description The rows after these: `pagination.next` of the page before. */
                after?: string;
                /** @description The rows before these: `pagination.prev` of the page after. */
                before?: string;
                /** @description What comes first; the newest unless sent. */
                sort?: "newest" | "oldest";
                status?: "open" | "asked" | "processing" | "returned";
                /** @description Found on or after this day, in São Paulo. */
                from?: string;
                /** @description Found on or before this day, in São Paulo. */
                to?: string;
                /** @description Answers with CSV, as `Accept: text/csv` does. `br`: semicolons, decimal commas and a byte order mark, for a spreadsheet set up for Brazil; so it is too when `Accept-Language` prefers Portuguese. `plain`: RFC 4180. */
                csv?: "plain" | "br";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of payments. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PixOrphan"][];
                        pagination: components["schemas"]["ListPagination"];
                        /** @description Of all that the filter finds. */
                        totals?: {
                            /**
                             * Format: reais
                             * @description What arrived, of all pages, in reais.
                             */
                            amount: number;
                        };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    getPixOrphan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The end-to-end id of the payment. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The payment. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PixOrphanShown"];
                };
            };
        };
    };
    assignPixOrphan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The end-to-end id of the payment. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrphanAssignment"];
            };
        };
        responses: {
            /** @description What came of it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AssignedOrphan"];
                };
            };
        };
    };
    refundPixOrphan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The end-to-end id of the payment. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The payment. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PixOrphan"];
                };
            };
            /** @description It waits for a second person. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        approval: components["schemas"]["Approval"];
                    };
                };
            };
        };
    };
    listPixPaymentItems: {
        parameters: {
            query?: {
                /** @description Which page; the first is 1. */
                page?: number;
                /** @description How many to a page, at most 100. */
                limit?: number;
                /** @description The rows after these: `pagination.next` of the page before. */
                after?: string;
                /** @description The rows before these: `pagination.prev` of the page after. */
                before?: string;
                /** @description What comes first; the newest unless sent. */
                sort?: "newest" | "oldest";
                /** @description What the Pix network calls it. */
                end_to_end_id?: string;
                /** @description Id or phone of the customer. */
                customer?: string;
                /** @description Paid on or after this day, in São Paulo. */
                from?: string;
                /** @description Paid on or before this day, in São Paulo. */
                to?: string;
                /** @description Answers with CSV, as `Accept: text/csv` does. `br`: semicolons, decimal commas and a byte order mark, for a spreadsheet set up for Brazil; so it is too when `Accept-Language` prefers Portuguese. `plain`: RFC 4180. */
                csv?: "plain" | "br";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of payments. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PixPaymentItem"][];
                        pagination: components["schemas"]["ListPagination"];
                        /** @description Of all that the filter finds. */
                        totals?: {
                            /**
                             * Format: reais
                             * @description What arrived, of all pages, in reais.
                             */
                            amount: number;
                        };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    getPixPayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The end-to-end id of the payment. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The payment. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PixPaymentWithRefunds"];
                };
            };
        };
    };
    movePixPayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The end-to-end id of the payment. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentMove"];
            };
        };
        responses: {
            /** @description A dry run: what would come of it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MovedPayment"];
                };
            };
            /** @description What came of it. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MovedPayment"];
                };
            };
            /** @description It waits for a second person. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        approval: components["schemas"]["Approval"];
                    };
                };
            };
        };
    };
    listPixRefundItems: {
        parameters: {
            query?: {
                /** @description Which page; the first is 1. */
                page?: number;
                /** @description How many to a page, at most 100. */
                limit?: number;
                /** @description The rows after these: `pagination.next` of the page before. */
                after?: string;
                /** @description The rows before these: `pagination.prev` of the page after. */
                before?: string;
                /** @description What comes first; the newest unless sent. */
                sort?: "newest" | "oldest";
                status?: "asked" | "processing" | "returned" | "failed" | "given_up" | "credited" | "overtaken";
                /** @description Id or phone of the customer. */
                customer?: string;
                /** @description Asked for on or after this day, in São Paulo. */
                from?: string;
                /** @description Asked for on or before this day, in São Paulo. */
                to?: string;
                /** @description Answers with CSV, as `Accept: text/csv` does. `br`: semicolons, decimal commas and a byte order mark, for a spreadsheet set up for Brazil; so it is too when `Accept-Language` prefers Portuguese. `plain`: RFC 4180. */
                csv?: "plain" | "br";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of refunds. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PixRefundItem"][];
                        pagination: components["schemas"]["ListPagination"];
                        /** @description Of all that the filter finds. */
                        totals?: {
                            /**
                             * Format: reais
                             * @description What goes back, of all pages, in reais.
                             */
                            amount: number;
                        };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    getPixRefund: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The refund. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The refund. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PixRefundItem"];
                };
            };
        };
    };
    retryPixRefund: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The refund. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The refund as it stands now, and what is asked for anew. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description What is asked of the payment provider again, in reais. */
                        asked: number;
                        refund: components["schemas"]["PixRefund"];
                    };
                };
            };
        };
    };
    previewPost: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Markdown. */
                    body: string;
                };
            };
        };
        responses: {
            /** @description The text as HTML, made harmless. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        body_html: string;
                    };
                };
            };
        };
    };
    listPostForStaff: {
        parameters: {
            query?: {
                /** @description Which page; the first is 1. */
                page?: number;
                /** @description How many to a page, at most 100. */
                limit?: number;
                /** @description The rows after these: `pagination.next` of the page before. */
                after?: string;
                /** @description The rows before these: `pagination.prev` of the page after. */
                before?: string;
                /** @description What comes first; the newest unless sent. */
                sort?: "newest" | "oldest";
                /** @description What stands in title or summary, without regard to case and accents. */
                q?: string;
                status?: "draft" | "scheduled" | "published";
                /** @description Answers with CSV, as `Accept: text/csv` does. `br`: semicolons, decimal commas and a byte order mark, for a spreadsheet set up for Brazil; so it is too when `Accept-Language` prefers Portuguese. `plain`: RFC 4180. */
                csv?: "plain" | "br";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of posts: drafts, then the newest; or the oldest, and drafts last. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["StaffPost"][];
                        pagination: components["schemas"]["ListPagination"];
                    };
                    "text/csv": string;
                };
            };
        };
    };
    createPost: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    slug: string;
                    title: string;
                    summary: string;
                    author: string;
                    /** @description Markdown. */
                    body: string;
                    /** @description A web address, or a path under /media/. */
                    cover_url?: string | null;
                    tags?: string[];
                    /**
                     * Format: date-time
                     * @description null: a draft. Later than now: shown from then on.
                     */
                    published_at?: string | null;
                };
            };
        };
        responses: {
            /** @description The post. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffPost"];
                };
            };
        };
    };
    getPostForStaff: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The slug, as in lists. */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The post. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffPost"];
                };
            };
        };
    };
    removePost: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The slug, as in lists. */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    changePost: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The slug, as in lists. */
                slug: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    title?: string;
                    summary?: string;
                    author?: string;
                    /** @description Markdown. */
                    body?: string;
                    /** @description A web address, or a path under /media/. */
                    cover_url?: string | null;
                    tags?: string[];
                    /**
                     * Format: date-time
                     * @description null: a draft. Later than now: shown from then on.
                     */
                    published_at?: string | null;
                };
            };
        };
        responses: {
            /** @description The post. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffPost"];
                };
            };
        };
    };
    setPostCover: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The slug, as in lists. */
                slug: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "image/png": unknown;
                "image/jpeg": unknown;
                "image/webp": unknown;
                "image/svg+xml": unknown;
            };
        };
        responses: {
            /** @description The post. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffPost"];
                };
            };
        };
    };
    listReferrals: {
        parameters: {
            query?: {
                /** @description Which page; the first is 1. */
                page?: number;
                /** @description How many to a page, at most 100. */
                limit?: number;
                /** @description The rows after these: `pagination.next` of the page before. */
                after?: string;
                /** @description The rows before these: `pagination.prev` of the page after. */
                before?: string;
                /** @description What comes first; the newest unless sent. */
                sort?: "newest" | "oldest";
                status?: "registered" | "rewarded" | "expired";
                /** @description Id or phone of the customer who invited. */
                referrer?: string;
                /** @description Invited on or after this day, in São Paulo. */
                from?: string;
                /** @description Invited on or before this day, in São Paulo. */
                to?: string;
                /** @description Answers with CSV, as `Accept: text/csv` does. `br`: semicolons, decimal commas and a byte order mark, for a spreadsheet set up for Brazil; so it is too when `Accept-Language` prefers Portuguese. `plain`: RFC 4180. */
                csv?: "plain" | "br";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of invitations. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["StaffReferral"][];
                        pagination: components["schemas"]["ListPagination"];
                    };
                    "text/csv": string;
                };
            };
        };
    };
    addReferral: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReferralOrder"];
            };
        };
        responses: {
            /** @description The invitation. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffReferral"];
                };
            };
        };
    };
    getReferralOfCustomer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id or phone of the customer. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invitation. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffReferral"];
                };
            };
        };
    };
    getAgingReport: {
        parameters: {
            query?: {
                /** @description A day in São Paulo, not after today; today unless sent. */
                on?: string;
                /** @description Answers with CSV, as `Accept: text/csv` does. `br`: semicolons, decimal commas and a byte order mark, for a spreadsheet set up for Brazil; so it is too when `Accept-Language` prefers Portuguese. `plain`: RFC 4180. */
                csv?: "plain" | "br";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The report. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgingReport"];
                    "text/csv": string;
                };
            };
        };
    };
    getCashbackReport: {
        parameters: {
            query?: {
                /** @description A day in São Paulo, not after today; today unless sent. */
                on?: string;
                /** @description Answers with CSV, as `Accept: text/csv` does. `br`: semicolons, decimal commas and a byte order mark, for a spreadsheet set up for Brazil; so it is too when `Accept-Language` prefers Portuguese. `plain`: RFC 4180. */
                csv?: "plain" | "br";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The report. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CashbackReport"];
                    "text/csv": string;
                };
            };
        };
    };
    getCohortsReport: {
        parameters: {
            query?: {
                /** @description A day in São Paulo, not after today; today unless sent. */
                on?: string;
                /** @description Answers with CSV, as `Accept: text/csv` does. `br`: semicolons, decimal commas and a byte order mark, for a spreadsheet set up for Brazil; so it is too when `Accept-Language` prefers Portuguese. `plain`: RFC 4180. */
                csv?: "plain" | "br";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The report. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CohortsReport"];
                    "text/csv": string;
                };
            };
        };
    };
    getIncomeReport: {
        parameters: {
            query?: {
                /** @description A day in São Paulo, not after today; today unless sent. */
                on?: string;
                /** @description Answers with CSV, as `Accept: text/csv` does. `br`: semicolons, decimal commas and a byte order mark, for a spreadsheet set up for Brazil; so it is too when `Accept-Language` prefers Portuguese. `plain`: RFC 4180. */
                csv?: "plain" | "br";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The report. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IncomeReport"];
                    "text/csv": string;
                };
            };
        };
    };
    getMerchantsReport: {
        parameters: {
            query?: {
                /** @description A day in São Paulo, not after today; today unless sent. */
                on?: string;
                /** @description Answers with CSV, as `Accept: text/csv` does. `br`: semicolons, decimal commas and a byte order mark, for a spreadsheet set up for Brazil; so it is too when `Accept-Language` prefers Portuguese. `plain`: RFC 4180. */
                csv?: "plain" | "br";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The report. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MerchantsReport"];
                    "text/csv": string;
                };
            };
        };
    };
    getPixReport: {
        parameters: {
            query?: {
                /** @description A day in São Paulo, not after today; today unless sent. */
                on?: string;
                /** @description Answers with CSV, as `Accept: text/csv` does. `br`: semicolons, decimal commas and a byte order mark, for a spreadsheet set up for Brazil; so it is too when `Accept-Language` prefers Portuguese. `plain`: RFC 4180. */
                csv?: "plain" | "br";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The report. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PixReport"];
                    "text/csv": string;
                };
            };
        };
    };
    getPortfolioReport: {
        parameters: {
            query?: {
                /** @description A day in São Paulo, not after today; today unless sent. */
                on?: string;
                /** @description Answers with CSV, as `Accept: text/csv` does. `br`: semicolons, decimal commas and a byte order mark, for a spreadsheet set up for Brazil; so it is too when `Accept-Language` prefers Portuguese. `plain`: RFC 4180. */
                csv?: "plain" | "br";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The report. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PortfolioReport"];
                    "text/csv": string;
                };
            };
        };
    };
    getWeeklyReport: {
        parameters: {
            query?: {
                /** @description A day in São Paulo, not after today; today unless sent. */
                on?: string;
                /** @description Answers with CSV, as `Accept: text/csv` does. `br`: semicolons, decimal commas and a byte order mark, for a spreadsheet set up for Brazil; so it is too when `Accept-Language` prefers Portuguese. `plain`: RFC 4180. */
                csv?: "plain" | "br";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The report. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WeeklyReport"];
                    "text/csv": string;
                };
            };
        };
    };
    listReturnsThatWaited: {
        parameters: {
            query?: {
                /** @description Which page; the first is 1. */
                page?: number;
                /** @description How many to a page, at most 100. */
                limit?: number;
                /** @description The rows after these: `pagination.next` of the page before. */
                after?: string;
                /** @description The rows before these: `pagination.prev` of the page after. */
                before?: string;
                /** @description What comes first; the newest unless sent. */
                sort?: "newest" | "oldest";
                status?: "waiting" | "made" | "refused";
                /** @description Slug of the merchant. */
                merchant?: string;
                /** @description Asked for on or after this day, in São Paulo. */
                from?: string;
                /** @description Asked for on or before this day, in São Paulo. */
                to?: string;
                /** @description Answers with CSV, as `Accept: text/csv` does. `br`: semicolons, decimal commas and a byte order mark, for a spreadsheet set up for Brazil; so it is too when `Accept-Language` prefers Portuguese. `plain`: RFC 4180. */
                csv?: "plain" | "br";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of returns. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["StaffWaitingReturn"][];
                        pagination: components["schemas"]["ListPagination"];
                        /** @description Of all that the filter finds. */
                        totals?: {
                            /**
                             * Format: reais
                             * @description What is returned, of all pages, in reais.
                             */
                            amount: number;
                        };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    approveReturn: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The return, made. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffWaitingReturn"];
                };
            };
        };
    };
    refuseReturn: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReturnRefusal"];
            };
        };
        responses: {
            /** @description The return, refused. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffWaitingReturn"];
                };
            };
        };
    };
    searchEverything: {
        parameters: {
            query: {
                /** @description A name, phone or CPF of a customer, a hash, an id, a txid, an end-to-end id, a reference, or words of a merchant or a post. */
                q: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was found, by kind. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SearchHit"][];
                    };
                };
            };
        };
    };
    listSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All of them. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SettingInForce"][];
                    };
                };
            };
        };
    };
    listStaff: {
        parameters: {
            query?: {
                /** @description Which page; the first is 1. */
                page?: number;
                /** @description How many to a page, at most 100. */
                limit?: number;
                /** @description Those too who were removed. */
                removed?: "true" | "false";
                /** @description Answers with CSV, as `Accept: text/csv` does. `br`: semicolons, decimal commas and a byte order mark, for a spreadsheet set up for Brazil; so it is too when `Accept-Language` prefers Portuguese. `plain`: RFC 4180. */
                csv?: "plain" | "br";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of people, by name. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["StaffMember"][];
                        pagination: components["schemas"]["ListPagination"];
                    };
                    "text/csv": string;
                };
            };
        };
    };
    addStaffMember: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: text */
                    name: string;
                    /**
                     * @description `viewer` reads; `content` also changes catalog and leads; `support` also customers, but not limits; `finance` also limits, purchases, returns, refunds, payouts; `admin` everything.
                     * @enum {unknown}
                     */
                    role: "viewer" | "content" | "support" | "finance" | "admin";
                };
            };
        };
        responses: {
            /** @description The person, with their key and invitation. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewStaffMember"];
                };
            };
        };
    };
    getStaffMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The person. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The person. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffMember"];
                };
            };
        };
    };
    removeStaffMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The person. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description They are out. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    changeStaffMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The person. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: text */
                    name?: string;
                    /**
                     * @description `viewer` reads; `content` also changes catalog and leads; `support` also customers, but not limits; `finance` also limits, purchases, returns, refunds, payouts; `admin` everything.
                     * @enum {unknown}
                     */
                    role?: "viewer" | "content" | "support" | "finance" | "admin";
                };
            };
        };
        responses: {
            /** @description The person. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffMember"];
                };
            };
        };
    };
    inviteStaffMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The person. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invitation. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffInvited"];
                };
            };
        };
    };
    showToday: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The day. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Today"];
                };
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description Only those of this partner: id or name. */
                partner?: string;
                /** @description Only those in this status. */
                status?: "enabled" | "disabled";
                /** @description Which page; the first is 1. */
                page?: number;
                /** @description How many to a page, at most 100. */
                limit?: number;
                /** @description The rows after these: `pagination.next` of the page before. */
                after?: string;
                /** @description The rows before these: `pagination.prev` of the page after. */
                before?: string;
                /** @description What comes first; the newest unless sent. */
                sort?: "newest" | "oldest";
                /** @description Answers with CSV, as `Accept: text/csv` does. `br`: semicolons, decimal commas and a byte order mark, for a spreadsheet set up for Brazil; so it is too when `Accept-Language` prefers Portuguese. `plain`: RFC 4180. */
                csv?: "plain" | "br";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of endpoints. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WebhookEndpoint"][];
                        pagination: components["schemas"]["ListPagination"];
                    };
                    "text/csv": string;
                };
            };
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookOrder"];
            };
        };
        responses: {
            /** @description The endpoint, with its secret. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointWithSecret"];
                };
            };
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The endpoint. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint, without its secret. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description Only those in this status. */
                status?: "pending" | "delivered" | "failed";
                /** @description Which page; the first is 1. */
                page?: number;
                /** @description How many to a page, at most 100. */
                limit?: number;
                /** @description The rows after these: `pagination.next` of the page before. */
                after?: string;
                /** @description The rows before these: `pagination.prev` of the page after. */
                before?: string;
                /** @description What comes first; the newest unless sent. */
                sort?: "newest" | "oldest";
                /** @description Answers with CSV, as `Accept: text/csv` does. `br`: semicolons, decimal commas and a byte order mark, for a spreadsheet set up for Brazil; so it is too when `Accept-Language` prefers Portuguese. `plain`: RFC 4180. */
                csv?: "plain" | "br";
            };
            header?: never;
            path: {
                /** @description The endpoint. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of deliveries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WebhookDelivery"][];
                        pagination: components["schemas"]["ListPagination"];
                    };
                    "text/csv": string;
                };
            };
        };
    };
    disableWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The endpoint. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
        };
    };
    enableWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The endpoint. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
        };
    };
    replayWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The endpoint. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description One event, whatever the filter of the endpoint. */
                    event: string;
                } | {
                    /**
                     * Format: date-time
                     * @description All events the endpoint wants that occurred then or later.
                     */
                    since: string;
                };
            };
        };
        responses: {
            /** @description They are on their way. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description How many deliveries that is. */
                        replayed: number;
                    };
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The endpoint. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description How long the old secret signs as well; 24 unless said. */
                    overlap_hours?: number;
                };
            };
        };
        responses: {
            /** @description The endpoint, with its new secret. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointWithSecret"];
                };
            };
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The endpoint. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery and its one attempt. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
        };
    };
    acceptInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: text
                     * @description Of the address that the admin was given.
                     */
                    token: string;
                    /** Format: email */
                    email: string;
                    /** Format: text */
                    password: string;
                };
            };
        };
        responses: {
            /** @description The session. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffEntered"];
                };
            };
        };
    };
    listFactors: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The factors. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffFactors"];
                };
            };
        };
    };
    removeFactor: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `totp`, or the id of a passkey. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It no longer counts. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: text
                     * @description Of the address that the admin was given.
                     */
                    token: string;
                };
            };
        };
        responses: {
            /** @description Whom it is for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffInvitation"];
                };
            };
        };
    };
    signInStaff: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StaffLogin"];
            };
        };
        responses: {
            /** @description The session. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffEntered"];
                };
            };
        };
    };
    signOutStaff: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It has ended, on every node. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    askForPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Give a passkey, or add one.
                     * @enum {unknown}
                     */
                    purpose: "sign_in" | "new";
                };
            };
        };
        responses: {
            /** @description The options, with a challenge that counts once. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyOptions"];
                };
            };
        };
    };
    addPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: text
                     * @description What the person calls it.
                     */
                    name: string;
                    /** @description What the browser answers to the options (WebAuthn, as JSON). */
                    passkey: Record<string, never>;
                };
            };
        };
        responses: {
            /** @description It counts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FactorAdded"];
                };
            };
        };
    };
    giveSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: text
                     * @description A one-time code of six digits, or a recovery code.
                     */
                    code?: string;
                    /** @description What the browser answers to the options (WebAuthn, as JSON). */
                    passkey?: Record<string, never>;
                };
            };
        };
        responses: {
            /** @description The session is complete. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffProven"];
                };
            };
        };
    };
    listStaffSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["StaffSession"][];
                    };
                };
            };
        };
    };
    endStaffSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The session. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It has ended, on every node. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    endOtherStaffSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description They have ended, on every node. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    proposeTotp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The secret. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewTotp"];
                };
            };
        };
    };
    confirmTotp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    code: string;
                };
            };
        };
        responses: {
            /** @description They count. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FactorAdded"];
                };
            };
        };
    };
    authoriseAutopay: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The authorisation, or what the PSP calls it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How it stands now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxAutopay"];
                };
            };
        };
    };
    cancelAutopay: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The authorisation, or what the PSP calls it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How it stands now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxAutopay"];
                };
            };
        };
    };
    refuseAutopay: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The authorisation, or what the PSP calls it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How it stands now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxAutopay"];
                };
            };
        };
    };
    askSandboxBureau: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    cpf: string;
                };
            };
        };
        responses: {
            /** @description What it says. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        score: unknown;
                        cpf_status?: unknown;
                    };
                };
            };
        };
    };
    getClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The time. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClockReading"];
                };
            };
        };
    };
    moveClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ClockMove"];
            };
        };
        responses: {
            /** @description The time. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClockReading"];
                };
            };
        };
    };
    resetClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The time. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClockReading"];
                };
            };
        };
    };
    listMessages: {
        parameters: {
            query?: {
                /** @description Only those to this phone. Write its + as %2B. */
                phone?: string;
                /** @description Only e-mails to this address. */
                email?: string;
                /** @description Which page; the first is 1. */
                page?: number;
                /** @description How many to a page, at most 100. */
                limit?: number;
                /** @description The rows after these: `pagination.next` of the page before. */
                after?: string;
                /** @description The rows before these: `pagination.prev` of the page after. */
                before?: string;
                /** @description What comes first; the newest unless sent. */
                sort?: "newest" | "oldest";
                /** @description Answers with CSV, as `Accept: text/csv` does. `br`: semicolons, decimal commas and a byte order mark, for a spreadsheet set up for Brazil; so it is too when `Accept-Language` prefers Portuguese. `plain`: RFC 4180. */
                csv?: "plain" | "br";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The messages. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SandboxMessage"][];
                        pagination: components["schemas"]["ListPagination"];
                    };
                    "text/csv": string;
                };
            };
        };
    };
    payCharge: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The charge, as the PSP knows it. */
                txid: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * Format: reais
                     * @description Another sum than the charge asks for, in reais.
                     */
                    value?: number;
                    /**
                     * Format: date-time
                     * @description Another instant than now: not a future one, and none before the charge was made, as no money arrives before its charge.
                     */
                    at?: string;
                    /** @description As a careless bank would: also what is expired, removed or paid already, and at an instant before the charge was made, as where the clock of the payer's bank is wrong. */
                    force?: boolean;
                };
            };
        };
        responses: {
            /** @description The money arrived at the PSP. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxPayment"];
                };
            };
        };
    };
    reversePayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The charge, as the PSP knows it. */
                txid: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * Format: reais
                     * @description The part to take back, in reais.
                     */
                    value?: number;
                };
            };
        };
        responses: {
            /** @description The money went back to the payer. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxReversal"];
                };
            };
        };
    };
    showPspPage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    listPspDeliveries: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The notices. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PspDelivery"][];
                    };
                };
            };
        };
    };
    getPspFaults: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The faults; all at rest means none. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PspFaults"];
                };
            };
        };
    };
    setPspFaults: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PspFaults"];
            };
        };
        responses: {
            /** @description The faults as they are now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PspFaults"];
                };
            };
        };
    };
    scanBrCode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    br_code: string;
                };
            };
        };
        responses: {
            /** @description The charge behind the code. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScannedCharge"];
                };
            };
        };
    };
    resetSandbox: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sandbox is as new. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResetDone"];
                };
            };
        };
    };
    enterAsRole: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {unknown} */
                    role: "viewer" | "content" | "support" | "finance" | "admin";
                };
            };
        };
        responses: {
            /** @description The session. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffEntered"];
                };
            };
        };
    };
}
