// Made by 'npm run generate' from openapi.json.
export interface components {
    schemas: {
        AgingReport: {
            on: string;
            worked_out_at: string;
            data: {
                days_late: "1-7" | "8-30" | "31-90" | "90+";
                installments: number;
                outstanding: number;
                written_off: number;
            }[];
            outstanding: number;
        };
        AgreedTerms: {
            weekly_rate_percent: number;
            fine_percent: number;
            late_interest_percent: number;
            extension_fee_percent: number;
            extension_days: number;
            extension_limit: number;
            cashback_percent: number;
            cet_percent_month: number;
            cet_percent_year: number;
            contract_sha256: string | null;
        };
        Amounts: {
            financed: number;
            paid: number;
            returned: number;
            outstanding: number;
            penalties: number;
            total_due: number;
        };
        ApiKey: {
            id: string;
            partner: { id: string; name: string; };
            label: string;
            hint: string;
            scopes: ("public" | "wallet" | "merchant" | "till" | "operator")[];
            merchant_id: number | null;
            person_id: string | null;
            origins: string[];
            return_origins: string[];
            backend: boolean;
            requests_per_minute: number | null;
            created_at: string;
            expires_at: string | null;
            revoked_at: string | null;
            last_used_at: string | null;
        };
        ApiKeyItem: {
            id: string;
            partner: { id: string; name: string; };
            label: string;
            hint: string;
            scopes: ("public" | "wallet" | "merchant" | "till" | "operator")[];
            merchant_id: number | null;
            person_id: string | null;
            origins: string[];
            return_origins: string[];
            backend: boolean;
            requests_per_minute: number | null;
            created_at: string;
            expires_at: string | null;
            revoked_at: string | null;
            last_used_at: string | null;
            merchant: string | null;
        };
        Approval: {
            id: string;
            kind: "orphan_refund" | "write_off" | "cashback_adjustment" | "payout" | "limit" | "payout_account" | "credit_policy" | "payment_move";
            amount: number | null;
            status: "waiting" | "approved" | "refused" | "failed" | "expired";
            subject: string;
            reason: string | null;
            asked_by: { id: string; name: string; };
            asked_at: string;
            decided_by: { id: string; name: string; } | null;
            decided_at: string | null;
            outcome: string | null;
        };
        ApprovalRefusal: { reason: string; };
        ApprovedAct: { approval: components["schemas"]["Approval"]; result: unknown; };
        AssignedOrphan: {
            end_to_end_id: string;
            value: number;
            customer_id: string;
            checkout_hash: string;
            received_at: string;
            too_much: number;
            installment: components["schemas"]["Installment"];
        };
        AuditTrailEntry: {
            id: number;
            at: string;
            actor: string;
            actor_name: string | null;
            address: string | null;
            request_id: string | null;
            action: string;
            subject: string;
            before: Record<string, never> | null;
            after: Record<string, never> | null;
            reason: string | null;
        };
        AutopayReport: {
            on: string;
            from: string;
            data: {
                try: number;
                tried: number;
                paid: number;
                paid_percent: number | null;
                paid_value: number;
            }[];
            purchases: { open: number; on_autopay: number; percent: number | null; };
        };
        CashbackAdjustment: { amount: number; reason: string; reference?: string; };
        CashbackReport: {
            on: string;
            owed: number;
            month: {
                earned: number;
                referral: number;
                adjusted: number;
                redeemed: number;
                expired: number;
                reversed: number;
            };
        };
        CheckoutOrder: {
            customer: string;
            merchant: string;
            amount: number;
            installments: number;
            description?: string;
            terms?: {
                weekly_rate_percent?: number;
                fine_percent?: number;
                late_interest_percent?: number;
                extension_fee_percent?: number;
                extension_days?: number;
                extension_limit?: number;
                cashback_percent?: number;
            };
            purchased_at?: string;
            dry_run?: boolean;
        };
        CheckoutReceipt: {
            source: "pix" | "cashback" | "manual";
            end_to_end_id: string | null;
            received_at: string;
            amount: number;
            applied: {
                number: number;
                interest: number;
                fine: number;
                extension_fee: number;
                principal: number;
                discount: number;
            }[];
            refunded: number;
            cashback: number;
            excess: number;
            gone: number;
        };
        CheckoutReturn: {
            id: string;
            status: "waiting" | "made" | "refused";
            amount: number;
            reason: string;
            asked_at: string;
            by: string;
            by_name: string | null;
            refunds: { end_to_end_id: string; amount: number; }[];
            cashback: number;
            refusal: string | null;
        };
        ClockMove: {
            advance: string;
            now?: string;
        } | { advance?: string; now: string; };
        ClockReading: { now: string; offset_seconds: number; };
        CodeOnItsWay: { challenge_id: string; expires_at: string; resend_after: string; };
        CodeProof: { challenge_id: string; code: string; };
        CohortsReport: {
            on: string;
            worked_out_at: string;
            data: {
                week: string;
                purchases: number;
                financed: number;
                total: number;
                paid: number;
                discount: number;
                returned: number;
                outstanding: number;
                overdue: number;
                written_off: number;
                paid_percent: number | null;
                overdue_percent: number | null;
            }[];
            total: {
                purchases: number;
                financed: number;
                total: number;
                paid: number;
                discount: number;
                returned: number;
                outstanding: number;
                overdue: number;
                written_off: number;
                paid_percent: number | null;
                overdue_percent: number | null;
            };
        };
        CreditApproval: { limit?: number; reason?: string; };
        CreditDecision: {
            id: string;
            customer_id: string;
            moment: "signup" | "accept" | "growth" | "late" | "review";
            outcome: "approved" | "review" | "declined";
            limit: number;
            reasons: string[];
            policy_version: number;
            facts: { [key: string]: unknown; };
            offer_id: string | null;
            shadow_outcome: "approved" | "review" | "declined" | null;
            decided_at: string;
            answered_by: string | null;
            answered_at: string | null;
            answer_reason: string | null;
        };
        CreditDecisionItem: {
            id: string;
            customer_id: string;
            moment: "signup" | "accept" | "growth" | "late" | "review";
            outcome: "approved" | "review" | "declined";
            limit: number;
            reasons: string[];
            policy_version: number;
            facts: { [key: string]: unknown; };
            offer_id: string | null;
            shadow_outcome: "approved" | "review" | "declined" | null;
            decided_at: string;
            answered_by: string | null;
            answered_at: string | null;
            answer_reason: string | null;
            customer_name: string | null;
        };
        CreditPolicy: {
            first_limit: number;
            growth: { paid_on_time: number; paid_amount: number; limit: number; }[];
            late: { days: number; keep_percent: number; }[];
            rules: {
                age_years?: { review?: number; declined?: number; };
                account_days?: { review?: number; declined?: number; };
                bureau_score?: { review?: number; declined?: number; };
                bureau_cpf_irregular?: { review?: number; declined?: number; };
                days_late?: { review?: number; declined?: number; };
                worst_days_late?: { review?: number; declined?: number; };
                refusals_month?: { review?: number; declined?: number; };
                merchant_loss_percent?: { review?: number; declined?: number; };
                offers_hour?: { review?: number; declined?: number; };
                signups_address_day?: { review?: number; declined?: number; };
                signups_network_day?: { review?: number; declined?: number; };
                signups_device?: { review?: number; declined?: number; };
                referral_ring?: { review?: number; declined?: number; };
                former_member?: { review?: number; declined?: number; };
            };
            signals: {
                age_years?: { at: number; weight: number; };
                account_days?: { at: number; weight: number; };
                bureau_score?: { at: number; weight: number; };
                bureau_cpf_irregular?: { at: number; weight: number; };
                days_late?: { at: number; weight: number; };
                worst_days_late?: { at: number; weight: number; };
                refusals_month?: { at: number; weight: number; };
                merchant_loss_percent?: { at: number; weight: number; };
                offers_hour?: { at: number; weight: number; };
                signups_address_day?: { at: number; weight: number; };
                signups_network_day?: { at: number; weight: number; };
                signups_device?: { at: number; weight: number; };
                referral_ring?: { at: number; weight: number; };
                former_member?: { at: number; weight: number; };
            };
            review_weight: number;
            decline_weight: number;
            merchant_caps: { merchant: string; limit: number; }[];
            bureau_days: number;
        };
        CreditPolicyForm: {
            policy?: components["schemas"]["CreditPolicy"];
            shadow?: components["schemas"]["CreditPolicy"] | null;
            reason?: string;
        };
        CreditPolicyInForce: {
            version: number;
            policy: components["schemas"]["CreditPolicy"];
            set_by: string | null;
            set_at: string | null;
            shadow: {
                version: number;
                policy: components["schemas"]["CreditPolicy"];
                set_by: string | null;
                set_at: string | null;
                figures: components["schemas"]["CreditPolicyTried"];
            } | null;
        };
        CreditPolicyTried: {
            decisions: number;
            same: number;
            changes: {
                from: "approved" | "review" | "declined";
                to: "approved" | "review" | "declined";
                moment: "signup" | "accept" | "growth" | "late" | "review";
                decisions: number;
                limit_difference: number;
            }[];
            refused: { purchases: number; sold: number; paid: number; late: number; written_off: number; };
        };
        CreditPolicyTry: { policy: components["schemas"]["CreditPolicy"]; };
        CreditPolicyVersion: {
            version: number;
            role: "force" | "shadow";
            policy: Record<string, never> | null;
            set_by: string;
            set_by_name: string;
            set_at: string;
        };
        CreditRefusal: { reason: string; };
        CustomerChange: {
            name?: string;
            email?: string;
            phone?: string;
            credit_limit?: number;
            reason?: string;
        };
        CustomerExport: {
            customer_id: string;
            exported_at: string;
            tables: { [key: string]: Record<string, never>[]; };
        };
        CustomerForm: {
            name: string;
            phone: string;
            email: string;
            cpf: string;
            birth_date?: string;
            credit_limit?: number;
            password?: string;
            referral_code?: string;
        };
        CustomerItem: {
            id: string;
            name: string;
            phone: string;
            email: string;
            cpf: string;
            created_at: string;
            credit: { limit: number; used: number; available: number; };
            referral_code: string;
            locked_at: string | null;
            erased_at: string | null;
            overdue: { amount: number; since: string | null; };
        };
        CustomerNote: { id: string; text: string; author: string; author_name: string; written_at: string; };
        CustomerNoteForm: { text: string; };
        CustomerSession: { id: string; created_at: string; refreshed_at: string; };
        ErasureForm: { reason: string; };
        FactorAdded: { recovery_codes: string[]; };
        FailingJob: {
            id: string;
            task: string;
            attempts: number;
            max_attempts: number;
            last_error: string;
            run_at: string;
            created_at: string;
            is_running: boolean;
        };
        FourEyes: { above: number | null; };
        ImportOutcome: {
            added: number;
            changed: number;
            unchanged: number;
            bad: number;
            changes: {
                key: string;
                is_new: boolean;
                fields: { name: string; before: unknown; after: unknown; }[];
            }[];
            faults: { line: number; message: string; }[];
        };
        IncomeReport: {
            on: string;
            month: {
                interest: number;
                penalties: number;
                extensions: number;
                merchant_fees: number;
                cashback: number;
                losses: number;
                total: number;
            };
            ever: {
                interest: number;
                penalties: number;
                extensions: number;
                merchant_fees: number;
                cashback: number;
                losses: number;
                total: number;
            };
        };
        Installment: {
            id: string;
            number: number;
            due_on: string;
            effective_due_on: string;
            status: "open" | "overdue" | "paid";
            amount: number;
            paid: number;
            discount: number;
            returned: number;
            outstanding: number;
            penalty: { fine: number; interest: number; total: number; days_late: number; };
            charges_paid: { fine: number; interest: number; extension_fee: number; };
            total_due: number;
            paid_at: string | null;
            extensions: number;
            cashback_if_on_time: number;
            pix_options: ({
                type: "settle" | "settle_with_penalty";
                value: number;
            } | {
                type: "settle_partial";
                min: number;
                max: number;
            } | { type: "extend"; value: number; due_on: string; })[];
            autopay: {
                status: "scheduled" | "trying" | "paid" | "failed";
                on: string;
                tries: number;
                reason: string | null;
            } | null;
        };
        LeadMerchant: {
            merchant: components["schemas"]["StaffMerchant"];
            owner: components["schemas"]["MerchantMember"];
        };
        LeadMerchantForm: {
            slug?: string;
            name?: string;
            category: string;
            description?: string | null;
            logo_url?: string | null;
            city?: string | null;
            state?: string | null;
            website?: string | null;
            listed?: boolean;
            plan?: {
                weekly_rate_percent?: number;
                max_installments?: number;
                min_amount?: number;
                max_amount?: number;
                cashback_percent?: number;
                merchant_fee_percent?: number;
                payout_days?: number;
            };
            owner?: { name?: string; phone?: string; };
        };
        ListPagination: {
            page: number;
            limit: number;
            total: number;
            pages: number;
            estimated?: boolean;
            next?: string;
            prev?: string;
        };
        Media: {
            name: string;
            url: string;
            type: string;
            size: number;
            width: number | null;
            height: number | null;
            uses: number;
            uploaded_at: string;
        };
        MemberForm: {
            name: string;
            phone: string;
            role: "clerk" | "owner";
            max_amount?: number | null;
            may_return?: boolean;
        };
        MerchantMember: {
            id: string;
            name: string;
            phone: string;
            role: "clerk" | "owner";
            max_amount: number | null;
            may_return: boolean;
            status: "active" | "removed";
            created_at: string;
        };
        MerchantsReport: {
            on: string;
            data: { merchant: string; name: string; owed: number; due: number; in_payouts: number; }[];
            total: { owed: number; due: number; in_payouts: number; };
        };
        MessageTemplate: {
            name: string;
            title: string;
            to: "customer" | "phone" | "owner";
            legal: boolean;
            life_hours: number;
            subject: string;
            whatsapp: string | null;
            sms: string | null;
            email: string | null;
            push: string | null;
            link: string | null;
            code: string | null;
        };
        MessagesReport: {
            on: string;
            from: string;
            data: { channel: string | null; status: string; reason: string | null; messages: number; }[];
            messages: number;
        };
        MovedPayment: {
            id: string;
            end_to_end_id: string;
            value: number;
            received_at: string;
            too_much: number;
            from: {
                customer_id: string;
                checkout_hash: string;
                installment: components["schemas"]["Installment"];
            };
            to: {
                customer_id: string;
                checkout_hash: string;
                installment: components["schemas"]["Installment"];
            };
        };
        NewApiKey: {
            id: string;
            partner: { id: string; name: string; };
            label: string;
            hint: string;
            scopes: ("public" | "wallet" | "merchant" | "till" | "operator")[];
            merchant_id: number | null;
            person_id: string | null;
            origins: string[];
            return_origins: string[];
            backend: boolean;
            requests_per_minute: number | null;
            created_at: string;
            expires_at: string | null;
            revoked_at: string | null;
            last_used_at: string | null;
            key: string;
        };
        NewStaffMember: {
            id: string;
            name: string;
            role: "viewer" | "content" | "support" | "finance" | "admin";
            email: string | null;
            created_at: string;
            removed_at: string | null;
            key: string;
            invite_url: string;
            invite_expires_at: string;
        };
        NewTotp: { secret: string; uri: string; };
        OperatorCheckout: {
            hash: string | null;
            status: "open" | "overdue" | "paid";
            merchant: { slug: string; name: string; logo_url: string | null; };
            description: string | null;
            purchased_at: string;
            amounts: components["schemas"]["Amounts"];
            installments_total: number;
            installments_paid: number;
            next_due_on: string | null;
            returned_at: string | null;
            customer_id: string;
            written_off_at: string | null;
            autopay: { status: "pending" | "active" | "rejected" | "expired" | "ended"; } | null;
            terms: components["schemas"]["AgreedTerms"];
            installments: {
                id: string | null;
                number: number;
                due_on: string;
                effective_due_on: string;
                status: "open" | "overdue" | "paid";
                amount: number;
                paid: number;
                discount: number;
                returned: number;
                outstanding: number;
                penalty: { fine: number; interest: number; total: number; days_late: number; };
                charges_paid: { fine: number; interest: number; extension_fee: number; };
                total_due: number;
                paid_at: string | null;
                extensions: number;
                cashback_if_on_time: number;
                pix_options: ({
                    type: "settle" | "settle_with_penalty";
                    value: number;
                } | {
                    type: "settle_partial";
                    min: number;
                    max: number;
                } | { type: "extend"; value: number; due_on: string; })[];
                autopay: {
                    status: "scheduled" | "trying" | "paid" | "failed";
                    on: string;
                    tries: number;
                    reason: string | null;
                } | null;
            }[];
            cost: { financed: number; interest: number; total: number; };
        };
        OperatorCheckoutItem: {
            hash: string;
            status: "open" | "overdue" | "paid";
            merchant: { slug: string; name: string; logo_url: string | null; };
            description: string | null;
            purchased_at: string;
            amounts: components["schemas"]["Amounts"];
            installments_total: number;
            installments_paid: number;
            next_due_on: string | null;
            returned_at: string | null;
            customer_id: string;
            customer_name: string | null;
            offer_id: string | null;
            written_off_at: string | null;
        };
        OperatorCheckoutShown: {
            hash: string | null;
            status: "open" | "overdue" | "paid";
            merchant: { slug: string; name: string; logo_url: string | null; };
            description: string | null;
            purchased_at: string;
            amounts: components["schemas"]["Amounts"];
            installments_total: number;
            installments_paid: number;
            next_due_on: string | null;
            returned_at: string | null;
            customer_id: string;
            written_off_at: string | null;
            autopay: { status: "pending" | "active" | "rejected" | "expired" | "ended"; } | null;
            terms: components["schemas"]["AgreedTerms"];
            installments: {
                id: string | null;
                number: number;
                due_on: string;
                effective_due_on: string;
                status: "open" | "overdue" | "paid";
                amount: number;
                paid: number;
                discount: number;
                returned: number;
                outstanding: number;
                penalty: { fine: number; interest: number; total: number; days_late: number; };
                charges_paid: { fine: number; interest: number; extension_fee: number; };
                total_due: number;
                paid_at: string | null;
                extensions: number;
                cashback_if_on_time: number;
                pix_options: ({
                    type: "settle" | "settle_with_penalty";
                    value: number;
                } | {
                    type: "settle_partial";
                    min: number;
                    max: number;
                } | { type: "extend"; value: number; due_on: string; })[];
                autopay: {
                    status: "scheduled" | "trying" | "paid" | "failed";
                    on: string;
                    tries: number;
                    reason: string | null;
                } | null;
            }[];
            cost: { financed: number; interest: number; total: number; };
            customer_name: string | null;
        };
        OperatorCustomer: {
            id: string;
            name: string;
            phone: string;
            email: string;
            cpf: string;
            created_at: string;
            credit: { limit: number; used: number; available: number; };
            referral_code: string;
            locked_at: string | null;
            erased_at: string | null;
            phone_change: { phone: string; asked_by: string; asked_at: string; counts_at: string; } | null;
        };
        OperatorReturn: {
            id: string;
            amount: number;
            reason: string;
            returned_at: string;
            refunds: { end_to_end_id: string; amount: number; }[];
            cashback: number;
            by: { id: string; name: string; } | null;
            checkout: components["schemas"]["OperatorCheckout"];
        };
        OrphanAssignment: { installment_id: string; dry_run?: boolean; };
        Owed: {
            at: string;
            outstanding: number;
            penalties: number;
            total_due: number;
            installments: {
                id: string;
                checkout_hash: string;
                merchant: { slug: string; name: string; };
                written_off: boolean;
                number: number;
                due_on: string;
                status: "open" | "overdue" | "paid";
                outstanding: number;
                fine: number;
                interest: number;
                days_late: number;
                total_due: number;
            }[];
        };
        Pagination: { page: number; limit: number; total: number; pages: number; };
        Partner: { id: string; name: string; created_at: string; keys: number; };
        PasskeyOptions: { options: { [key: string]: unknown; }; };
        PaymentMove: {
            installment_id: string;
            from_installment_id?: string;
            reason: string;
            dry_run?: boolean;
        };
        Payout: {
            id: string;
            merchant: string;
            amount: number;
            status: "pending" | "paid" | "failed";
            due_on: string;
            created_at: string;
            paid_at: string | null;
            reference: string | null;
            failed_at: string | null;
            reason: string | null;
        };
        PayoutAccount: {
            pix_key: string | null;
            holder_name: string | null;
            tax_id: string | null;
            change: {
                pix_key: string | null;
                holder_name: string | null;
                tax_id: string | null;
                asked_at: string;
                counts_at: string;
            } | null;
        };
        PayoutAccountForm: { pix_key: string; holder_name: string; tax_id: string; };
        PayoutBatch: { until?: string; };
        PayoutFailed: { reason: string; };
        PayoutLine: {
            id: string;
            kind: "sale" | "fee" | "return" | "return_fee" | "payout" | "payout_failed";
            amount: number;
            checkout_hash: string | null;
            of_payout: string | null;
            due_on: string;
            occurred_at: string;
        };
        PayoutPaid: { reference: string; };
        PayoutWithLines: {
            id: string;
            merchant: string;
            amount: number;
            status: "pending" | "paid" | "failed";
            due_on: string;
            created_at: string;
            paid_at: string | null;
            reference: string | null;
            failed_at: string | null;
            reason: string | null;
            lines: components["schemas"]["PayoutLine"][];
            pagination: components["schemas"]["Pagination"];
        };
        PhoneConfirmation: { proof?: components["schemas"]["CodeProof"]; reason?: string; };
        PixDiscrepancy: {
            kind: "paid_without_payment" | "end_to_end_id_reused" | "unreadable_payment";
            pix_id: string;
            customer_id: string;
            txid: string;
            end_to_end_id: string | null;
            value: number;
            found_at: string;
        };
        PixMove: {
            id: string;
            side: "from" | "to";
            customer_id: string;
            checkout_hash: string;
            installment_id: string;
            reason: string;
            moved_at: string;
            moved_by: string;
        };
        PixOrphan: {
            end_to_end_id: string;
            txid: string | null;
            value: number;
            status: "open" | "asked" | "processing" | "returned";
            reason: string | null;
            paid_at: string;
            found_at: string;
            returned_at: string | null;
        };
        PixOrphanShown: {
            end_to_end_id: string;
            txid: string | null;
            value: number;
            status: "open" | "asked" | "processing" | "returned";
            reason: string | null;
            paid_at: string;
            found_at: string;
            returned_at: string | null;
            suggestions: {
                customer_id: string;
                customer_name: string | null;
                checkout_hash: string;
                installment_id: string;
                because: ("code" | "amount" | "bank")[];
            }[];
        };
        PixPaymentItem: {
            end_to_end_id: string;
            pix_id: string;
            customer_id: string;
            installment_id: string;
            value: number;
            refunded: number;
            assigned: boolean;
            paid_at: string;
            recorded_at: string;
            customer_name: string | null;
        };
        PixPaymentWithRefunds: {
            end_to_end_id: string;
            pix_id: string;
            customer_id: string;
            installment_id: string;
            value: number;
            refunded: number;
            assigned: boolean;
            paid_at: string;
            recorded_at: string;
            customer_name: string | null;
            refunds: components["schemas"]["PixRefund"][];
            moves: components["schemas"]["PixMove"][];
        };
        PixRefund: {
            id: string;
            end_to_end_id: string;
            customer_id: string;
            value: number;
            status: "asked" | "processing" | "returned" | "failed" | "given_up" | "credited" | "overtaken";
            stranded: number;
            forced: boolean;
            reason: string | null;
            tries: number;
            created_at: string;
            settled_at: string | null;
        };
        PixRefundItem: {
            id: string;
            end_to_end_id: string;
            customer_id: string;
            value: number;
            status: "asked" | "processing" | "returned" | "failed" | "given_up" | "credited" | "overtaken";
            stranded: number;
            forced: boolean;
            reason: string | null;
            tries: number;
            created_at: string;
            settled_at: string | null;
            customer_name: string | null;
        };
        PixReport: {
            on: string;
            from: string;
            data: {
                type: string;
                made: number;
                paid: number;
                paid_percent: number | null;
                made_value: number;
                paid_value: number;
                median_seconds: number | null;
            }[];
            total: {
                made: number;
                paid: number;
                paid_percent: number | null;
                made_value: number;
                paid_value: number;
            };
        };
        PortfolioReport: {
            on: string;
            worked_out_at: string;
            open: {
                purchases: number;
                financed: number;
                paid: number;
                returned: number;
                outstanding: number;
                written_off: number;
                written_off_outstanding: number;
            };
            overdue: {
                purchases: number;
                financed: number;
                paid: number;
                returned: number;
                outstanding: number;
                written_off: number;
                written_off_outstanding: number;
            };
            paid: {
                purchases: number;
                financed: number;
                paid: number;
                returned: number;
                outstanding: number;
                written_off: number;
                written_off_outstanding: number;
            };
            returned: {
                purchases: number;
                financed: number;
                paid: number;
                returned: number;
                outstanding: number;
                written_off: number;
                written_off_outstanding: number;
            };
            total: {
                purchases: number;
                financed: number;
                paid: number;
                returned: number;
                outstanding: number;
                written_off: number;
                written_off_outstanding: number;
            };
        };
        Problem: {
            type: string;
            title: string;
            status: number;
            detail: string;
            code: string;
            request_id: string;
            errors?: { pointer: string; message: string; }[];
        };
        PspDelivery: {
            id: number;
            kind: "pix" | "rec" | "cobr";
            state: "waiting" | "delivered" | "failed" | "withheld";
            attempts: number;
            last_outcome: string | null;
            pix: unknown;
            created_at: string;
        };
        PspFaults: {
            latency_ms: number;
            error_rate: number;
            timeout_rate: number;
            drop_after_write: number;
            token_errors: number;
            notify: "normal" | "twice" | "late" | "never" | "shuffled";
            notify_delay_ms: number;
            wrong_amount: number;
            refund: "normal" | "stuck" | "fails";
            debits: "paid" | "no_money" | "cap" | "silent";
            debits_moved_days: number;
            payments: "normal" | "missing" | "object" | "zero_beside" | "unreadable_beside";
            txid: "normal" | "missing" | "capitals";
            pix_list: "normal" | "empty" | "unfiltered" | "short_pages";
            pix_lookup: "normal" | "refused";
            amounts: "normal" | "short";
            timestamps: "normal" | "no_fraction" | "no_zone" | "spaced";
            end_to_end_id: "normal" | "reused";
            notice_format: "normal" | "gzip" | "array" | "object" | "no_content_type" | "trailing_slash";
        };
        Quote: {
            amount: number;
            installments: { number: number; due_on: string; amount: number; }[];
            total: number;
            cost: number;
            cashback_if_on_time: number;
            terms: components["schemas"]["Terms"];
        };
        ReasonForm: { reason?: string; };
        ReferralOrder: { customer: string; code: string; };
        RefusalsReport: {
            on: string;
            from: string;
            data: { code: string; words: string; debits: number; failed: number; }[];
            debits: number;
        };
        RemindersReport: {
            on: string;
            from: string;
            data: { step: number; reminded: number; paid_within_a_day: number; percent: number | null; }[];
            total: { reminded: number; paid_within_a_day: number; percent: number | null; };
        };
        ResetDone: { reset_at: string; merchants: number; customers: number; checkouts: number; };
        ReturnFileOutcome: {
            totals: {
                paid: { lines: number; amount: number; };
                failed: { lines: number; amount: number; };
                already: { lines: number; amount: number; };
                waiting: { lines: number; amount: number; };
                bad: { lines: number; amount: number; };
            };
            data: {
                line: number;
                outcome: "paid" | "failed" | "already" | "waiting" | "bad";
                payout: string | null;
                merchant: string | null;
                amount: number | null;
                message: string;
            }[];
        };
        ReturnOrder: { amount?: number; reason: string; };
        ReturnRefusal: { reason: string; };
        SandboxAutopay: { id: string; status: "pending" | "active" | "rejected" | "expired" | "ended"; };
        SandboxMessage: {
            phone: string | null;
            channel: "whatsapp" | "sms" | "email" | "push";
            template: string;
            step: number | null;
            text: string;
            code: string | null;
            link: string | null;
            sent_at: string;
        };
        SandboxPayment: { end_to_end_id: string; txid: string; value: number; paid_at: string; };
        SandboxReversal: {
            end_to_end_id: string;
            txid: string;
            refund_id: string;
            value: number;
            reversed_at: string;
        };
        SavedView: { id: string; list: string; name: string; query: string; saved_at: string; };
        SavedViewForm: { list: string; name: string; query: string; };
        ScannedCharge: {
            txid: string;
            value: number;
            receiver: { name: string; city: string; key: string; };
            note: string | null;
            status: string;
            expires_at: string;
            payable: boolean;
        };
        SearchHit: {
            kind: "customer" | "checkout" | "payment" | "orphan" | "charge" | "refund" | "offer" | "merchant" | "post";
            id: string;
            title: string;
            customer_id: string | null;
            customer_name: string | null;
        };
        ServiceNode: { id: string; release: string; address: string | null; since: string; jobs: number; };
        SettingInForce: { name: string; meaning: string; value: string | null; is_default: boolean; };
        StaffAgreement: {
            kind: "terms" | "privacy";
            version: string;
            sections: { title: string; text: string; }[];
            published_by: string;
            published_at: string;
        };
        StaffAutopay: {
            id: string;
            customer_id: string;
            customer_name: string | null;
            checkout_hash: string;
            status: "pending" | "active" | "rejected" | "expired" | "ended";
            first: boolean;
            largest: number;
            starts_on: string;
            ends_on: string;
            created_at: string;
            activated_at: string | null;
            ended_at: string | null;
            ended_by: string | null;
            reason: string | null;
        };
        StaffCashback: {
            customer_id: string;
            available: number;
            pending: number;
            expiring: { amount: number; expires_on: string; }[];
            lifetime_earned: number;
        };
        StaffCashbackItem: {
            customer_id: string;
            id: string;
            kind: "earned" | "referral" | "redeemed" | "expired" | "reversed" | "adjusted";
            amount: number;
            balance_after: number;
            description: string;
            checkout_hash: string | null;
            installment_id: string | null;
            occurred_at: string;
            expires_on: string | null;
            customer_name: string | null;
        };
        StaffCashbackShown: {
            customer_id: string;
            available: number;
            pending: number;
            expiring: { amount: number; expires_on: string; }[];
            lifetime_earned: number;
            customer_name: string | null;
        };
        StaffCategory: { slug: string; name: string; };
        StaffCheckout: {
            hash: string | null;
            status: "open" | "overdue" | "paid";
            merchant: { slug: string; name: string; logo_url: string | null; };
            description: string | null;
            purchased_at: string;
            amounts: components["schemas"]["Amounts"];
            installments_total: number;
            installments_paid: number;
            next_due_on: string | null;
            returned_at: string | null;
            customer_id: string;
            written_off_at: string | null;
            autopay: { status: "pending" | "active" | "rejected" | "expired" | "ended"; } | null;
            terms: components["schemas"]["AgreedTerms"];
            installments: {
                id: string | null;
                number: number;
                due_on: string;
                effective_due_on: string;
                status: "open" | "overdue" | "paid";
                amount: number;
                paid: number;
                discount: number;
                returned: number;
                outstanding: number;
                penalty: { fine: number; interest: number; total: number; days_late: number; };
                charges_paid: { fine: number; interest: number; extension_fee: number; };
                total_due: number;
                paid_at: string | null;
                extensions: number;
                cashback_if_on_time: number;
                pix_options: ({
                    type: "settle" | "settle_with_penalty";
                    value: number;
                } | {
                    type: "settle_partial";
                    min: number;
                    max: number;
                } | { type: "extend"; value: number; due_on: string; })[];
                autopay: {
                    status: "scheduled" | "trying" | "paid" | "failed";
                    on: string;
                    tries: number;
                    reason: string | null;
                } | null;
            }[];
            cost: { financed: number; interest: number; total: number; };
            customer_name: string | null;
            receipts: components["schemas"]["CheckoutReceipt"][];
            returns: components["schemas"]["CheckoutReturn"][];
        };
        StaffDebit: {
            id: string;
            customer_id: string;
            customer_name: string | null;
            autopay_id: string;
            checkout_hash: string;
            installment_id: string;
            status: "scheduled" | "trying" | "paid" | "failed" | "withdrawn";
            value: number;
            due_on: string;
            attempt_on: string;
            tries: number;
            reason: string | null;
        };
        StaffEntered: {
            session: string;
            session_id: string;
            expires_at: string;
            next: "done" | "second_factor" | "enrol";
            methods: ("totp" | "passkey")[];
            person: components["schemas"]["StaffMe"];
        };
        StaffEvent: {
            id: string;
            type: string;
            customer_id: string | null;
            checkout_hash: string | null;
            sequence: number | null;
            occurred_at: string;
            data: Record<string, never>;
            told: {
                partner_id: string;
                partner_name: string | null;
                webhook_id: string | null;
                url: string | null;
                status: "pending" | "delivered" | "failed" | null;
                tries: number | null;
                settled_at: string | null;
            }[];
        };
        StaffFactors: {
            totp: boolean;
            passkeys: { id: string; name: string; created_at: string; last_used_at: string | null; }[];
            recovery_codes: number;
        };
        StaffFaqEntry: {
            id: string;
            topic: string;
            question: string;
            answer: string;
            position: number;
            listed: boolean;
        };
        StaffInvitation: {
            name: string;
            role: "viewer" | "content" | "support" | "finance" | "admin";
            email: string | null;
            expires_at: string;
        };
        StaffInvited: { invite_url: string; invite_expires_at: string; };
        StaffLead: {
            id: string;
            kind: string;
            status: "new" | "handled";
            name: string;
            email: string | null;
            phone: string | null;
            company: string | null;
            message: string | null;
            note: string | null;
            partner_id: string;
            received_at: string;
        };
        StaffLogin: { email: string; password: string; };
        StaffMe: {
            id: string;
            name: string;
            role: "viewer" | "content" | "support" | "finance" | "admin";
            email: string | null;
        };
        StaffMember: {
            id: string;
            name: string;
            role: "viewer" | "content" | "support" | "finance" | "admin";
            email: string | null;
            created_at: string;
            removed_at: string | null;
        };
        StaffMerchant: {
            slug: string;
            name: string;
            category: string;
            description: string | null;
            logo_url: string | null;
            city: string | null;
            state: string | null;
            website: string | null;
            listed: boolean;
            plan: {
                weekly_rate_percent: number;
                max_installments: number;
                min_amount: number;
                max_amount: number;
                cashback_percent: number;
                merchant_fee_percent: number;
                payout_days: number;
            };
        };
        StaffMessage: {
            id: string;
            customer_id: string;
            customer_name: string | null;
            template: string;
            title: string;
            step: number | null;
            status: "queued" | "retrying" | "sent" | "delivered" | "read" | "failed" | "withdrawn";
            channel: ("whatsapp" | "sms" | "email" | "push") | null;
            provider_id: string | null;
            reason: string | null;
            attempts: number;
            text: string | null;
            created_at: string;
            sent_at: string | null;
            updated_at: string;
        };
        StaffOffer: {
            id: string;
            status: "pending" | "accepted" | "declined" | "expired" | "cancelled";
            merchant: { slug: string; name: string; };
            customer_id: string | null;
            description: string | null;
            reference: string | null;
            amount: number;
            installments: number;
            accepted_installments: number | null;
            checkout_hash: string | null;
            created_at: string;
            expires_at: string;
            claimed_at: string | null;
            closed_at: string | null;
            items: { name: string; quantity: number; amount: number; }[];
            quote: components["schemas"]["Quote"];
        };
        StaffOfferItem: {
            id: string;
            status: "pending" | "accepted" | "declined" | "expired" | "cancelled";
            merchant: { slug: string; name: string; };
            customer_id: string | null;
            description: string | null;
            reference: string | null;
            amount: number;
            installments: number;
            accepted_installments: number | null;
            checkout_hash: string | null;
            created_at: string;
            expires_at: string;
            claimed_at: string | null;
            closed_at: string | null;
        };
        StaffOfferOrder: {
            merchant: string;
            phone: string;
            amount: number;
            installments: number;
            description?: string;
            reference?: string;
            items?: { name: string; quantity: number; amount: number; }[];
            dry_run?: boolean;
        };
        StaffPayoutItem: {
            id: string;
            merchant: string;
            merchant_name: string;
            amount: number;
            status: "pending" | "paid" | "failed";
            due_on: string;
            created_at: string;
            paid_at: string | null;
            reference: string | null;
            failed_at: string | null;
            reason: string | null;
            pix_key: string | null;
            holder_name: string | null;
            tax_id: string | null;
            bank_number: string;
        };
        StaffPixChargeItem: {
            id: string;
            txid: string;
            customer_id: string;
            checkout_hash: string;
            installment_id: string;
            type: "settle" | "settle_with_penalty" | "settle_partial" | "extend";
            status: "pending" | "paid" | "expired" | "cancelled";
            value: number;
            created_at: string;
            expires_at: string;
            paid_at: string | null;
            customer_name: string | null;
        };
        StaffPost: {
            slug: string;
            title: string;
            summary: string;
            author: string;
            body: string;
            cover_url: string | null;
            tags: string[];
            published_at: string | null;
        };
        StaffProven: { next: "done"; };
        StaffReferral: {
            referrer_id: string;
            invited_id: string;
            status: "registered" | "rewarded" | "expired";
            promised: { referrer: number; invited: number; };
            reward: number;
            invited_at: string;
            rewarded_at: string | null;
        };
        StaffSession: {
            id: string;
            created_at: string;
            seen_at: string;
            address: string;
            agent: string;
            is_current: boolean;
        };
        StaffWaitingReturn: {
            id: string;
            status: "waiting" | "made" | "refused";
            checkout_hash: string;
            amount: number;
            reason: string;
            asked_at: string;
            closed_at: string | null;
            refusal: string | null;
            merchant: { slug: string; name: string; };
            customer_id: string;
        };
        StoryLine: {
            at: string;
            kind: string;
            text: string;
            checkout_hash?: string;
            installment_id?: string;
            pix_id?: string;
            end_to_end_id?: string;
            session_id?: string;
            message_id?: string;
            trail_id?: number;
        };
        Terms: {
            weekly_rate_percent: number;
            fine_percent: number;
            late_interest_percent: number;
            extension_fee_percent: number;
            extension_days: number;
            extension_limit: number;
            cashback_percent: number;
            cet_percent_month: number;
            cet_percent_year: number;
        };
        Today: {
            on: string;
            waiting: { [key: string]: number; };
            weekly: components["schemas"]["WeeklyReport"];
            aging: components["schemas"]["AgingReport"];
        };
        WebhookDelivery: {
            event: string;
            type: string;
            occurred_at: string;
            status: "pending" | "delivered" | "failed";
            tries: number;
            next_try_at: string | null;
            settled_at: string | null;
            attempts: {
                at: string;
                status: number | null;
                error: string | null;
                duration_ms: number;
                answer: string | null;
            }[];
        };
        WebhookEndpoint: {
            id: string;
            partner: string;
            url: string;
            events: string[];
            merchant: string | null;
            status: "enabled" | "disabled";
            disabled_reason: string | null;
            disabled_at: string | null;
            failing_since: string | null;
            old_secret_until: string | null;
            created_at: string;
        };
        WebhookEndpointWithSecret: {
            id: string;
            partner: string;
            url: string;
            events: string[];
            merchant: string | null;
            status: "enabled" | "disabled";
            disabled_reason: string | null;
            disabled_at: string | null;
            failing_since: string | null;
            old_secret_until: string | null;
            created_at: string;
            secret: string;
        };
        WebhookOrder: {
            partner: string;
            url: string;
            events?: ("lead.received" | "customer.registered" | "checkout.created" | "checkout.paid" | "checkout.overdue" | "checkout.returned" | "installment.paid" | "installment.overdue" | "installment.extended" | "installment.overpaid" | "installment.payment_changed" | "installment.reopened" | "pix.created" | "pix.paid" | "pix.expired" | "pix.refunded" | "pix.moved" | "autopay.activated" | "autopay.ended" | "autopay.failed" | "cashback.changed" | "referral.rewarded" | "offer.created" | "offer.claimed" | "offer.accepted" | "offer.declined" | "offer.expired" | "offer.cancelled" | "credit.review" | "credit.decided" | "credit.limit_changed" | "payout.paid")[];
            merchant?: string;
        };
        WeeklyReport: {
            on: string;
            worked_out_at: string;
            data: { week: string; expected: number; received: number; refunded: number; }[];
        };
        WriteOffOrder: { reason: string; };
        WriteOffState: {
            checkout_hash: string;
            customer_id: string;
            written_off_at: string | null;
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
    listAgreements: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                after?: string;
                before?: string;
                sort?: "newest" | "oldest";
                kind?: "terms" | "privacy";
                csv?: "plain" | "br";
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["StaffAgreement"][];
                        pagination: components["schemas"]["ListPagination"];
                    };
                    "text/csv": string;
                };
            };
        };
    };
    publishAgreement: {
        parameters: { query?: never; path?: never; };
        requestBody: {
            content: {
                "application/json": {
                    kind: "terms" | "privacy";
                    version: string;
                    sections: { title: string; text: string; }[];
                };
            };
        };
        responses: { 201: { content: { "application/json": components["schemas"]["StaffAgreement"]; }; }; };
    };
    listApprovals: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                after?: string;
                before?: string;
                sort?: "newest" | "oldest";
                q?: string;
                status?: "waiting" | "approved" | "refused" | "failed" | "expired";
                kind?: "orphan_refund" | "write_off" | "cashback_adjustment" | "payout" | "limit" | "payout_account" | "credit_policy" | "payment_move";
                from?: string;
                to?: string;
                csv?: "plain" | "br";
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["Approval"][];
                        pagination: components["schemas"]["ListPagination"];
                        totals?: { amount: number; };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    getApproval: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["Approval"]; }; }; };
    };
    approveAct: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["ApprovedAct"]; }; }; };
    };
    refuseAct: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody: { content: { "application/json": components["schemas"]["ApprovalRefusal"]; }; };
        responses: { 200: { content: { "application/json": components["schemas"]["Approval"]; }; }; };
    };
    listAuditTrail: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                after?: string;
                before?: string;
                sort?: "newest" | "oldest";
                actor?: string;
                subject?: string;
                since?: string;
                from?: string;
                to?: string;
                csv?: "plain" | "br";
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            200: {
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
    listAutopay: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                after?: string;
                before?: string;
                sort?: "newest" | "oldest";
                q?: string;
                status?: "pending" | "active" | "rejected" | "expired" | "ended";
                customer?: string;
                from?: string;
                to?: string;
                csv?: "plain" | "br";
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["StaffAutopay"][];
                        pagination: components["schemas"]["ListPagination"];
                    };
                    "text/csv": string;
                };
            };
        };
    };
    listDebits: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                after?: string;
                before?: string;
                sort?: "newest" | "oldest";
                q?: string;
                status?: "scheduled" | "trying" | "paid" | "failed" | "withdrawn";
                customer?: string;
                from?: string;
                to?: string;
                csv?: "plain" | "br";
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["StaffDebit"][];
                        pagination: components["schemas"]["ListPagination"];
                        totals?: { amount: number; };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    listCashbackOfAll: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                after?: string;
                before?: string;
                sort?: "newest" | "oldest";
                q?: string;
                kind?: "earned" | "referral" | "redeemed" | "expired" | "reversed" | "adjusted";
                customer?: string;
                from?: string;
                to?: string;
                csv?: "plain" | "br";
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["StaffCashbackItem"][];
                        pagination: components["schemas"]["ListPagination"];
                        totals?: { amount: number; };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    getCashbackOfCustomer: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: {
            200: { content: { "application/json": components["schemas"]["StaffCashbackShown"]; }; };
        };
    };
    adjustCashback: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody: { content: { "application/json": components["schemas"]["CashbackAdjustment"]; }; };
        responses: {
            201: { content: { "application/json": components["schemas"]["StaffCashback"]; }; };
            202: { content: { "application/json": { approval: components["schemas"]["Approval"]; }; }; };
        };
    };
    listCategoryForStaff: {
        parameters: {
            query?: { page?: number; limit?: number; q?: string; csv?: "plain" | "br"; };
            path?: never;
        };
        requestBody?: never;
        responses: {
            200: {
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
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": { slug: string; name: string; }; }; };
        responses: { 201: { content: { "application/json": components["schemas"]["StaffCategory"]; }; }; };
    };
    getCategoryForStaff: {
        parameters: { query?: never; path: { slug: string; }; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["StaffCategory"]; }; }; };
    };
    removeCategory: {
        parameters: { query?: never; path: { slug: string; }; };
        requestBody?: never;
        responses: { 204: { content?: never; }; };
    };
    changeCategory: {
        parameters: { query?: never; path: { slug: string; }; };
        requestBody: { content: { "application/json": { name: string; }; }; };
        responses: { 200: { content: { "application/json": components["schemas"]["StaffCategory"]; }; }; };
    };
    listCheckoutsOfAll: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                after?: string;
                before?: string;
                sort?: "newest" | "oldest";
                q?: string;
                status?: "open" | "overdue" | "paid";
                days_late?: "1-7" | "8-30" | "31-90" | "90+";
                written_off?: "true" | "false";
                merchant?: string;
                customer?: string;
                reference?: string;
                from?: string;
                to?: string;
                csv?: "plain" | "br";
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["OperatorCheckoutItem"][];
                        pagination: components["schemas"]["ListPagination"];
                        totals?: { amount: number; };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    createCheckout: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": components["schemas"]["CheckoutOrder"]; }; };
        responses: {
            200: { content: { "application/json": components["schemas"]["OperatorCheckoutShown"]; }; };
            201: { content: { "application/json": components["schemas"]["OperatorCheckoutShown"]; }; };
        };
    };
    getCheckoutOfAnybody: {
        parameters: { query?: never; path: { hash: string; }; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["StaffCheckout"]; }; }; };
    };
    getContractOfAnybody: {
        parameters: { query?: never; path: { hash: string; }; };
        requestBody?: never;
        responses: { 200: { content: { "application/pdf": string; }; }; };
    };
    reinstateCheckout: {
        parameters: { query?: never; path: { hash: string; }; };
        requestBody: { content: { "application/json": components["schemas"]["WriteOffOrder"]; }; };
        responses: { 200: { content: { "application/json": components["schemas"]["WriteOffState"]; }; }; };
    };
    returnCheckout: {
        parameters: { query?: { dry_run?: "true" | "false"; }; path: { hash: string; }; };
        requestBody: { content: { "application/json": components["schemas"]["ReturnOrder"]; }; };
        responses: {
            200: { content: { "application/json": components["schemas"]["OperatorReturn"]; }; };
            201: { content: { "application/json": components["schemas"]["OperatorReturn"]; }; };
        };
    };
    writeOffCheckout: {
        parameters: { query?: never; path: { hash: string; }; };
        requestBody: { content: { "application/json": components["schemas"]["WriteOffOrder"]; }; };
        responses: {
            200: { content: { "application/json": components["schemas"]["WriteOffState"]; }; };
            202: { content: { "application/json": { approval: components["schemas"]["Approval"]; }; }; };
        };
    };
    listCreditDecisions: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                after?: string;
                before?: string;
                sort?: "newest" | "oldest";
                q?: string;
                customer?: string;
                outcome?: "approved" | "review" | "declined";
                moment?: "signup" | "accept" | "growth" | "late" | "review";
                from?: string;
                to?: string;
                csv?: "plain" | "br";
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["CreditDecisionItem"][];
                        pagination: components["schemas"]["ListPagination"];
                    };
                    "text/csv": string;
                };
            };
        };
    };
    getCreditDecision: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["CreditDecision"]; }; }; };
    };
    approveCreditDecision: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: { content: { "application/json": components["schemas"]["CreditApproval"]; }; };
        responses: {
            200: { content: { "application/json": components["schemas"]["CreditDecision"]; }; };
            202: { content: { "application/json": { approval: components["schemas"]["Approval"]; }; }; };
        };
    };
    declineCreditDecision: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody: { content: { "application/json": components["schemas"]["CreditRefusal"]; }; };
        responses: { 200: { content: { "application/json": components["schemas"]["CreditDecision"]; }; }; };
    };
    getCreditPolicy: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: {
            200: { content: { "application/json": components["schemas"]["CreditPolicyInForce"]; }; };
        };
    };
    setCreditPolicy: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": components["schemas"]["CreditPolicyForm"]; }; };
        responses: {
            200: { content: { "application/json": components["schemas"]["CreditPolicyInForce"]; }; };
            202: { content: { "application/json": { approval: components["schemas"]["Approval"]; }; }; };
        };
    };
    tryCreditPolicy: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": components["schemas"]["CreditPolicyTry"]; }; };
        responses: {
            200: { content: { "application/json": components["schemas"]["CreditPolicyTried"]; }; };
        };
    };
    listCreditPolicyVersions: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                after?: string;
                before?: string;
                sort?: "newest" | "oldest";
                csv?: "plain" | "br";
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["CreditPolicyVersion"][];
                        pagination: components["schemas"]["ListPagination"];
                    };
                    "text/csv": string;
                };
            };
        };
    };
    listCustomers: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                after?: string;
                before?: string;
                sort?: "newest" | "oldest";
                name?: string;
                q?: string;
                phone?: string;
                email?: string;
                cpf?: string;
                status?: "active" | "locked" | "erased" | "overdue";
                csv?: "plain" | "br";
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            200: {
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
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": components["schemas"]["CustomerForm"]; }; };
        responses: { 201: { content: { "application/json": components["schemas"]["OperatorCustomer"]; }; }; };
    };
    getCustomer: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["OperatorCustomer"]; }; }; };
    };
    changeCustomer: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody: { content: { "application/json": components["schemas"]["CustomerChange"]; }; };
        responses: {
            200: { content: { "application/json": components["schemas"]["OperatorCustomer"]; }; };
            202: { content: { "application/json": { approval: components["schemas"]["Approval"]; }; }; };
        };
    };
    eraseCustomer: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody: { content: { "application/json": components["schemas"]["ErasureForm"]; }; };
        responses: { 200: { content: { "application/json": components["schemas"]["OperatorCustomer"]; }; }; };
    };
    exportCustomer: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["CustomerExport"]; }; }; };
    };
    lockCustomer: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: { content: { "application/json": components["schemas"]["ReasonForm"]; }; };
        responses: { 200: { content: { "application/json": components["schemas"]["OperatorCustomer"]; }; }; };
    };
    listCustomerNotes: {
        parameters: {
            query?: { page?: number; limit?: number; csv?: "plain" | "br"; };
            path: { id: string; };
        };
        requestBody?: never;
        responses: {
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["CustomerNote"][];
                        pagination: components["schemas"]["ListPagination"];
                    };
                    "text/csv": string;
                };
            };
        };
    };
    writeCustomerNote: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody: { content: { "application/json": components["schemas"]["CustomerNoteForm"]; }; };
        responses: { 201: { content: { "application/json": components["schemas"]["CustomerNote"]; }; }; };
    };
    getOwedByCustomer: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["Owed"]; }; }; };
    };
    cancelPhoneChange: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: { content: { "application/json": components["schemas"]["ReasonForm"]; }; };
        responses: { 200: { content: { "application/json": components["schemas"]["OperatorCustomer"]; }; }; };
    };
    sendPhoneChangeCode: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: { 202: { content: { "application/json": components["schemas"]["CodeOnItsWay"]; }; }; };
    };
    confirmPhoneChange: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: { content: { "application/json": components["schemas"]["PhoneConfirmation"]; }; };
        responses: { 200: { content: { "application/json": components["schemas"]["OperatorCustomer"]; }; }; };
    };
    listCustomerSessions: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: {
            200: { content: { "application/json": { data: components["schemas"]["CustomerSession"][]; }; }; };
        };
    };
    endCustomerSession: {
        parameters: { query?: never; path: { id: string; session: string; }; };
        requestBody?: { content: { "application/json": components["schemas"]["ReasonForm"]; }; };
        responses: { 204: { content?: never; }; };
    };
    endCustomerSessions: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: { content: { "application/json": components["schemas"]["ReasonForm"]; }; };
        responses: { 204: { content?: never; }; };
    };
    getCustomerStory: {
        parameters: {
            query?: { page?: number; limit?: number; csv?: "plain" | "br"; };
            path: { id: string; };
        };
        requestBody?: never;
        responses: {
            200: {
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
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: { content: { "application/json": components["schemas"]["ReasonForm"]; }; };
        responses: { 200: { content: { "application/json": components["schemas"]["OperatorCustomer"]; }; }; };
    };
    searchEvents: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                after?: string;
                before?: string;
                sort?: "newest" | "oldest";
                type?: "lead.received" | "customer.registered" | "checkout.created" | "checkout.paid" | "checkout.overdue" | "checkout.returned" | "installment.paid" | "installment.overdue" | "installment.extended" | "installment.overpaid" | "installment.payment_changed" | "installment.reopened" | "pix.created" | "pix.paid" | "pix.expired" | "pix.refunded" | "pix.moved" | "autopay.activated" | "autopay.ended" | "autopay.failed" | "cashback.changed" | "referral.rewarded" | "offer.created" | "offer.claimed" | "offer.accepted" | "offer.declined" | "offer.expired" | "offer.cancelled" | "credit.review" | "credit.decided" | "credit.limit_changed" | "payout.paid" | "webhook.disabled";
                customer?: string;
                checkout?: string;
                from?: string;
                to?: string;
                csv?: "plain" | "br";
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            200: {
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
                page?: number;
                limit?: number;
                q?: string;
                topic?: string;
                listed?: "true" | "false";
                csv?: "plain" | "br";
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            200: {
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
        parameters: { query?: never; path?: never; };
        requestBody: {
            content: {
                "application/json": {
                    id: string;
                    topic: string;
                    question: string;
                    answer: string;
                    position?: number;
                    listed?: boolean;
                };
            };
        };
        responses: { 201: { content: { "application/json": components["schemas"]["StaffFaqEntry"]; }; }; };
    };
    getFaqEntryForStaff: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["StaffFaqEntry"]; }; }; };
    };
    removeFaqEntry: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: { 204: { content?: never; }; };
    };
    changeFaqEntry: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody: {
            content: {
                "application/json": {
                    topic?: string;
                    question?: string;
                    answer?: string;
                    position?: number;
                    listed?: boolean;
                };
            };
        };
        responses: { 200: { content: { "application/json": components["schemas"]["StaffFaqEntry"]; }; }; };
    };
    getFourEyes: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["FourEyes"]; }; }; };
    };
    importContent: {
        parameters: {
            query?: { dry_run?: "true" | "false"; format?: "csv" | "jsonl"; encoding?: "utf-8" | "latin1"; };
            path: { kind: "categories" | "merchants" | "faq" | "posts"; };
        };
        requestBody: { content: { "text/csv": unknown; "application/x-ndjson": unknown; }; };
        responses: { 200: { content: { "application/json": components["schemas"]["ImportOutcome"]; }; }; };
    };
    listFailingJobs: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                after?: string;
                before?: string;
                sort?: "newest" | "oldest";
                csv?: "plain" | "br";
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["FailingJob"][];
                        pagination: components["schemas"]["ListPagination"];
                    };
                    "text/csv": string;
                };
            };
        };
    };
    retryJob: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: { 204: { content?: never; }; };
    };
    listKeys: {
        parameters: {
            query?: { page?: number; limit?: number; partner?: string; q?: string; csv?: "plain" | "br"; };
            path?: never;
        };
        requestBody?: never;
        responses: {
            200: {
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
        parameters: { query?: never; path?: never; };
        requestBody: {
            content: {
                "application/json": {
                    partner: string;
                    scopes: ("public" | "wallet" | "merchant" | "till")[];
                    label?: string;
                    merchant?: string;
                    origins?: string[];
                    return_origins?: string[];
                    backend?: boolean;
                    requests_per_minute?: number | null;
                };
            };
        };
        responses: { 201: { content: { "application/json": components["schemas"]["NewApiKey"]; }; }; };
    };
    changeKey: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody: { content: { "application/json": { return_origins: string[]; }; }; };
        responses: { 200: { content: { "application/json": components["schemas"]["ApiKey"]; }; }; };
    };
    revokeKey: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["ApiKey"]; }; }; };
    };
    rotateKey: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: { content: { "application/json": { overlap_hours?: number; }; }; };
        responses: { 201: { content: { "application/json": components["schemas"]["NewApiKey"]; }; }; };
    };
    listLeads: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                after?: string;
                before?: string;
                sort?: "newest" | "oldest";
                kind?: string;
                status?: "new" | "handled";
                q?: string;
                from?: string;
                to?: string;
                csv?: "plain" | "br";
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            200: {
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
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["StaffLead"]; }; }; };
    };
    removeLead: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: { 204: { content?: never; }; };
    };
    changeLead: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody: {
            content: { "application/json": { status?: "new" | "handled"; note?: string | null; }; };
        };
        responses: { 200: { content: { "application/json": components["schemas"]["StaffLead"]; }; }; };
    };
    makeMerchantOfLead: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody: { content: { "application/json": components["schemas"]["LeadMerchantForm"]; }; };
        responses: { 201: { content: { "application/json": components["schemas"]["LeadMerchant"]; }; }; };
    };
    getStaffMe: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["StaffMe"]; }; }; };
    };
    listSavedViews: {
        parameters: { query?: { list?: string; }; path?: never; };
        requestBody?: never;
        responses: {
            200: { content: { "application/json": { data: components["schemas"]["SavedView"][]; }; }; };
        };
    };
    saveView: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": components["schemas"]["SavedViewForm"]; }; };
        responses: { 201: { content: { "application/json": components["schemas"]["SavedView"]; }; }; };
    };
    removeSavedView: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: { 204: { content?: never; }; };
    };
    listMedia: {
        parameters: {
            query?: { page?: number; limit?: number; unused?: "true"; csv?: "plain" | "br"; };
            path?: never;
        };
        requestBody?: never;
        responses: {
            200: {
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
        parameters: { query?: never; path?: never; };
        requestBody: {
            content: {
                "image/png": unknown;
                "image/jpeg": unknown;
                "image/webp": unknown;
                "image/svg+xml": unknown;
            };
        };
        responses: {
            200: { content: { "application/json": components["schemas"]["Media"]; }; };
            201: { content: { "application/json": components["schemas"]["Media"]; }; };
        };
    };
    getMediaOfStaff: {
        parameters: { query?: never; path: { name: string; }; };
        requestBody?: never;
        responses: { 200: { content: { "image/*": string; }; }; };
    };
    removeMedia: {
        parameters: { query?: never; path: { name: string; }; };
        requestBody?: never;
        responses: { 204: { content?: never; }; };
    };
    listMerchantForStaff: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                q?: string;
                category?: string;
                listed?: "true" | "false";
                sort?: "newest" | "oldest";
                csv?: "plain" | "br";
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            200: {
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
        parameters: { query?: never; path?: never; };
        requestBody: {
            content: {
                "application/json": {
                    slug: string;
                    name: string;
                    category: string;
                    description?: string | null;
                    logo_url?: string | null;
                    city?: string | null;
                    state?: string | null;
                    website?: string | null;
                    listed?: boolean;
                    plan?: {
                        weekly_rate_percent?: number;
                        max_installments?: number;
                        min_amount?: number;
                        max_amount?: number;
                        cashback_percent?: number;
                        merchant_fee_percent?: number;
                        payout_days?: number;
                    };
                };
            };
        };
        responses: { 201: { content: { "application/json": components["schemas"]["StaffMerchant"]; }; }; };
    };
    getMerchantForStaff: {
        parameters: { query?: never; path: { slug: string; }; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["StaffMerchant"]; }; }; };
    };
    removeMerchant: {
        parameters: { query?: never; path: { slug: string; }; };
        requestBody?: never;
        responses: { 204: { content?: never; }; };
    };
    changeMerchant: {
        parameters: { query?: never; path: { slug: string; }; };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    category?: string;
                    description?: string | null;
                    logo_url?: string | null;
                    city?: string | null;
                    state?: string | null;
                    website?: string | null;
                    listed?: boolean;
                    plan?: {
                        weekly_rate_percent?: number;
                        max_installments?: number;
                        min_amount?: number;
                        max_amount?: number;
                        cashback_percent?: number;
                        merchant_fee_percent?: number;
                        payout_days?: number;
                    };
                };
            };
        };
        responses: { 200: { content: { "application/json": components["schemas"]["StaffMerchant"]; }; }; };
    };
    setMerchantLogo: {
        parameters: { query?: never; path: { slug: string; }; };
        requestBody: {
            content: {
                "image/png": unknown;
                "image/jpeg": unknown;
                "image/webp": unknown;
                "image/svg+xml": unknown;
            };
        };
        responses: { 200: { content: { "application/json": components["schemas"]["StaffMerchant"]; }; }; };
    };
    listMerchantMembers: {
        parameters: {
            query?: { page?: number; limit?: number; removed?: "true" | "false"; csv?: "plain" | "br"; };
            path: { slug: string; };
        };
        requestBody?: never;
        responses: {
            200: {
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
        parameters: { query?: never; path: { slug: string; }; };
        requestBody: { content: { "application/json": components["schemas"]["MemberForm"]; }; };
        responses: { 201: { content: { "application/json": components["schemas"]["MerchantMember"]; }; }; };
    };
    removeMerchantMember: {
        parameters: { query?: never; path: { slug: string; id: string; }; };
        requestBody?: never;
        responses: { 204: { content?: never; }; };
    };
    getPayoutAccount: {
        parameters: { query?: never; path: { slug: string; }; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["PayoutAccount"]; }; }; };
    };
    setPayoutAccount: {
        parameters: { query?: never; path: { slug: string; }; };
        requestBody: { content: { "application/json": components["schemas"]["PayoutAccountForm"]; }; };
        responses: {
            200: { content: { "application/json": components["schemas"]["PayoutAccount"]; }; };
            202: { content: { "application/json": { approval: components["schemas"]["Approval"]; }; }; };
        };
    };
    stopPayoutAccountChange: {
        parameters: { query?: never; path: { slug: string; }; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["PayoutAccount"]; }; }; };
    };
    listMessageTemplates: {
        parameters: { query?: { page?: number; limit?: number; csv?: "plain" | "br"; }; path?: never; };
        requestBody?: never;
        responses: {
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["MessageTemplate"][];
                        pagination: components["schemas"]["ListPagination"];
                    };
                    "text/csv": string;
                };
            };
        };
    };
    listStaffMessages: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                after?: string;
                before?: string;
                sort?: "newest" | "oldest";
                q?: string;
                customer?: string;
                checkout?: string;
                status?: "queued" | "retrying" | "sent" | "delivered" | "read" | "failed" | "withdrawn";
                channel?: "whatsapp" | "sms" | "email" | "push";
                template?: "login_code" | "offer" | "offer_accepted" | "reminder" | "payment_received" | "extended" | "returned" | "autopay_failed" | "cashback_expiring" | "password_changed" | "phone_changed" | "new_session" | "credit_answer" | "payout_account_changed" | "payout_paid";
                from?: string;
                to?: string;
                csv?: "plain" | "br";
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["StaffMessage"][];
                        pagination: components["schemas"]["ListPagination"];
                    };
                    "text/csv": string;
                };
            };
        };
    };
    resendMessage: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: { 201: { content: { "application/json": components["schemas"]["StaffMessage"]; }; }; };
    };
    sendTestMessage: {
        parameters: { query?: never; path?: never; };
        requestBody: {
            content: {
                "application/json": {
                    channel: "sms" | "whatsapp" | "email";
                    to: string;
                    template?: "login_code" | "offer" | "offer_accepted" | "reminder" | "payment_received" | "extended" | "returned" | "autopay_failed" | "cashback_expiring" | "password_changed" | "phone_changed" | "new_session" | "credit_answer" | "payout_account_changed" | "payout_paid";
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        channel: "sms" | "whatsapp" | "email";
                        provider_id: string | null;
                        text: string;
                    };
                };
            };
        };
    };
    listNodes: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: {
            200: { content: { "application/json": { data: components["schemas"]["ServiceNode"][]; }; }; };
        };
    };
    listOffersOfAll: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                after?: string;
                before?: string;
                sort?: "newest" | "oldest";
                q?: string;
                status?: "pending" | "accepted" | "declined" | "expired" | "cancelled";
                merchant?: string;
                customer?: string;
                reference?: string;
                from?: string;
                to?: string;
                csv?: "plain" | "br";
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["StaffOfferItem"][];
                        pagination: components["schemas"]["ListPagination"];
                        totals?: { amount: number; };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    createOfferForMerchant: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": components["schemas"]["StaffOfferOrder"]; }; };
        responses: {
            200: { content: { "application/json": components["schemas"]["StaffOffer"]; }; };
            201: { content: { "application/json": components["schemas"]["StaffOffer"]; }; };
        };
    };
    getOfferOfAnybody: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["StaffOffer"]; }; }; };
    };
    cancelOfferOfAnybody: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["StaffOfferItem"]; }; }; };
    };
    listPartners: {
        parameters: {
            query?: { page?: number; limit?: number; q?: string; csv?: "plain" | "br"; };
            path?: never;
        };
        requestBody?: never;
        responses: {
            200: {
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
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": { name: string; }; }; };
        responses: { 201: { content: { "application/json": components["schemas"]["Partner"]; }; }; };
    };
    listPayouts: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                after?: string;
                before?: string;
                sort?: "newest" | "oldest";
                q?: string;
                status?: "pending" | "paid" | "failed";
                merchant?: string;
                from?: string;
                to?: string;
                csv?: "plain" | "br";
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["StaffPayoutItem"][];
                        pagination: components["schemas"]["ListPagination"];
                        totals?: { amount: number; };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    createPayouts: {
        parameters: { query?: never; path?: never; };
        requestBody?: { content: { "application/json": components["schemas"]["PayoutBatch"]; }; };
        responses: {
            201: { content: { "application/json": { data: components["schemas"]["Payout"][]; }; }; };
            202: { content: { "application/json": { approval: components["schemas"]["Approval"]; }; }; };
        };
    };
    getPayout: {
        parameters: { query?: { page?: number; limit?: number; }; path: { id: string; }; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["PayoutWithLines"]; }; }; };
    };
    markPayoutFailed: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody: { content: { "application/json": components["schemas"]["PayoutFailed"]; }; };
        responses: { 200: { content: { "application/json": components["schemas"]["Payout"]; }; }; };
    };
    markPayoutPaid: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody: { content: { "application/json": components["schemas"]["PayoutPaid"]; }; };
        responses: { 200: { content: { "application/json": components["schemas"]["Payout"]; }; }; };
    };
    markPayoutsByFile: {
        parameters: {
            query?: {
                dry_run?: "true" | "false";
                format?: "csv" | "cnab240";
                encoding?: "utf-8" | "latin1";
            };
            path?: never;
        };
        requestBody: { content: { "text/csv": unknown; "text/plain": unknown; }; };
        responses: {
            200: { content: { "application/json": components["schemas"]["ReturnFileOutcome"]; }; };
        };
    };
    listPixCharges: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                after?: string;
                before?: string;
                sort?: "newest" | "oldest";
                q?: string;
                status?: "pending" | "paid" | "expired" | "cancelled";
                type?: "settle" | "settle_with_penalty" | "settle_partial" | "extend";
                customer?: string;
                checkout?: string;
                from?: string;
                to?: string;
                csv?: "plain" | "br";
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["StaffPixChargeItem"][];
                        pagination: components["schemas"]["ListPagination"];
                        totals?: { amount: number; };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    getPixCharge: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: {
            200: { content: { "application/json": components["schemas"]["StaffPixChargeItem"]; }; };
        };
    };
    listPixDiscrepancies: {
        parameters: { query?: { page?: number; limit?: number; csv?: "plain" | "br"; }; path?: never; };
        requestBody?: never;
        responses: {
            200: {
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
                page?: number;
                limit?: number;
                after?: string;
                before?: string;
                sort?: "newest" | "oldest";
                q?: string;
                status?: "open" | "asked" | "processing" | "returned";
                from?: string;
                to?: string;
                csv?: "plain" | "br";
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["PixOrphan"][];
                        pagination: components["schemas"]["ListPagination"];
                        totals?: { amount: number; };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    getPixOrphan: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["PixOrphanShown"]; }; }; };
    };
    assignPixOrphan: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody: { content: { "application/json": components["schemas"]["OrphanAssignment"]; }; };
        responses: { 200: { content: { "application/json": components["schemas"]["AssignedOrphan"]; }; }; };
    };
    refundPixOrphan: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: {
            200: { content: { "application/json": components["schemas"]["PixOrphan"]; }; };
            202: { content: { "application/json": { approval: components["schemas"]["Approval"]; }; }; };
        };
    };
    listPixPaymentItems: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                after?: string;
                before?: string;
                sort?: "newest" | "oldest";
                q?: string;
                end_to_end_id?: string;
                customer?: string;
                checkout?: string;
                from?: string;
                to?: string;
                csv?: "plain" | "br";
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["PixPaymentItem"][];
                        pagination: components["schemas"]["ListPagination"];
                        totals?: { amount: number; };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    getPixPayment: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: {
            200: { content: { "application/json": components["schemas"]["PixPaymentWithRefunds"]; }; };
        };
    };
    movePixPayment: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody: { content: { "application/json": components["schemas"]["PaymentMove"]; }; };
        responses: {
            200: { content: { "application/json": components["schemas"]["MovedPayment"]; }; };
            201: { content: { "application/json": components["schemas"]["MovedPayment"]; }; };
            202: { content: { "application/json": { approval: components["schemas"]["Approval"]; }; }; };
        };
    };
    listPixRefundItems: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                after?: string;
                before?: string;
                sort?: "newest" | "oldest";
                q?: string;
                status?: "asked" | "processing" | "returned" | "failed" | "given_up" | "credited" | "overtaken";
                customer?: string;
                checkout?: string;
                from?: string;
                to?: string;
                csv?: "plain" | "br";
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["PixRefundItem"][];
                        pagination: components["schemas"]["ListPagination"];
                        totals?: { amount: number; };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    getPixRefund: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["PixRefundItem"]; }; }; };
    };
    retryPixRefund: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: {
            200: {
                content: {
                    "application/json": { asked: number; refund: components["schemas"]["PixRefund"]; };
                };
            };
        };
    };
    previewPost: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": { body: string; }; }; };
        responses: { 200: { content: { "application/json": { body_html: string; }; }; }; };
    };
    listPostForStaff: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                after?: string;
                before?: string;
                sort?: "newest" | "oldest";
                q?: string;
                status?: "draft" | "scheduled" | "published";
                csv?: "plain" | "br";
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            200: {
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
        parameters: { query?: never; path?: never; };
        requestBody: {
            content: {
                "application/json": {
                    slug: string;
                    title: string;
                    summary: string;
                    author: string;
                    body: string;
                    cover_url?: string | null;
                    tags?: string[];
                    published_at?: string | null;
                };
            };
        };
        responses: { 201: { content: { "application/json": components["schemas"]["StaffPost"]; }; }; };
    };
    getPostForStaff: {
        parameters: { query?: never; path: { slug: string; }; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["StaffPost"]; }; }; };
    };
    removePost: {
        parameters: { query?: never; path: { slug: string; }; };
        requestBody?: never;
        responses: { 204: { content?: never; }; };
    };
    changePost: {
        parameters: { query?: never; path: { slug: string; }; };
        requestBody: {
            content: {
                "application/json": {
                    title?: string;
                    summary?: string;
                    author?: string;
                    body?: string;
                    cover_url?: string | null;
                    tags?: string[];
                    published_at?: string | null;
                };
            };
        };
        responses: { 200: { content: { "application/json": components["schemas"]["StaffPost"]; }; }; };
    };
    setPostCover: {
        parameters: { query?: never; path: { slug: string; }; };
        requestBody: {
            content: {
                "image/png": unknown;
                "image/jpeg": unknown;
                "image/webp": unknown;
                "image/svg+xml": unknown;
            };
        };
        responses: { 200: { content: { "application/json": components["schemas"]["StaffPost"]; }; }; };
    };
    listReferrals: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                after?: string;
                before?: string;
                sort?: "newest" | "oldest";
                status?: "registered" | "rewarded" | "expired";
                referrer?: string;
                from?: string;
                to?: string;
                csv?: "plain" | "br";
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            200: {
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
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": components["schemas"]["ReferralOrder"]; }; };
        responses: { 201: { content: { "application/json": components["schemas"]["StaffReferral"]; }; }; };
    };
    getReferralOfCustomer: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["StaffReferral"]; }; }; };
    };
    getAgingReport: {
        parameters: { query?: { on?: string; csv?: "plain" | "br"; }; path?: never; };
        requestBody?: never;
        responses: {
            200: {
                content: { "application/json": components["schemas"]["AgingReport"]; "text/csv": string; };
            };
        };
    };
    getAutopayReport: {
        parameters: { query?: { on?: string; csv?: "plain" | "br"; }; path?: never; };
        requestBody?: never;
        responses: {
            200: {
                content: { "application/json": components["schemas"]["AutopayReport"]; "text/csv": string; };
            };
        };
    };
    getCashbackReport: {
        parameters: { query?: { on?: string; csv?: "plain" | "br"; }; path?: never; };
        requestBody?: never;
        responses: {
            200: {
                content: { "application/json": components["schemas"]["CashbackReport"]; "text/csv": string; };
            };
        };
    };
    getCohortsReport: {
        parameters: { query?: { on?: string; csv?: "plain" | "br"; }; path?: never; };
        requestBody?: never;
        responses: {
            200: {
                content: { "application/json": components["schemas"]["CohortsReport"]; "text/csv": string; };
            };
        };
    };
    getIncomeReport: {
        parameters: { query?: { on?: string; csv?: "plain" | "br"; }; path?: never; };
        requestBody?: never;
        responses: {
            200: {
                content: { "application/json": components["schemas"]["IncomeReport"]; "text/csv": string; };
            };
        };
    };
    getMerchantsReport: {
        parameters: { query?: { on?: string; csv?: "plain" | "br"; }; path?: never; };
        requestBody?: never;
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["MerchantsReport"];
                    "text/csv": string;
                };
            };
        };
    };
    getMessagesReport: {
        parameters: { query?: { on?: string; csv?: "plain" | "br"; }; path?: never; };
        requestBody?: never;
        responses: {
            200: {
                content: { "application/json": components["schemas"]["MessagesReport"]; "text/csv": string; };
            };
        };
    };
    getPixReport: {
        parameters: { query?: { on?: string; csv?: "plain" | "br"; }; path?: never; };
        requestBody?: never;
        responses: {
            200: {
                content: { "application/json": components["schemas"]["PixReport"]; "text/csv": string; };
            };
        };
    };
    getPortfolioReport: {
        parameters: { query?: { on?: string; csv?: "plain" | "br"; }; path?: never; };
        requestBody?: never;
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["PortfolioReport"];
                    "text/csv": string;
                };
            };
        };
    };
    getRefusalsReport: {
        parameters: { query?: { on?: string; csv?: "plain" | "br"; }; path?: never; };
        requestBody?: never;
        responses: {
            200: {
                content: { "application/json": components["schemas"]["RefusalsReport"]; "text/csv": string; };
            };
        };
    };
    getRemindersReport: {
        parameters: { query?: { on?: string; csv?: "plain" | "br"; }; path?: never; };
        requestBody?: never;
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["RemindersReport"];
                    "text/csv": string;
                };
            };
        };
    };
    getWeeklyReport: {
        parameters: { query?: { on?: string; csv?: "plain" | "br"; }; path?: never; };
        requestBody?: never;
        responses: {
            200: {
                content: { "application/json": components["schemas"]["WeeklyReport"]; "text/csv": string; };
            };
        };
    };
    listReturnsThatWaited: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                after?: string;
                before?: string;
                sort?: "newest" | "oldest";
                q?: string;
                status?: "waiting" | "made" | "refused";
                merchant?: string;
                from?: string;
                to?: string;
                csv?: "plain" | "br";
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                content: {
                    "application/json": {
                        data: components["schemas"]["StaffWaitingReturn"][];
                        pagination: components["schemas"]["ListPagination"];
                        totals?: { amount: number; };
                    };
                    "text/csv": string;
                };
            };
        };
    };
    approveReturn: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: {
            200: { content: { "application/json": components["schemas"]["StaffWaitingReturn"]; }; };
        };
    };
    refuseReturn: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody: { content: { "application/json": components["schemas"]["ReturnRefusal"]; }; };
        responses: {
            200: { content: { "application/json": components["schemas"]["StaffWaitingReturn"]; }; };
        };
    };
    searchEverything: {
        parameters: { query: { q: string; }; path?: never; };
        requestBody?: never;
        responses: {
            200: { content: { "application/json": { data: components["schemas"]["SearchHit"][]; }; }; };
        };
    };
    listSettings: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: {
            200: { content: { "application/json": { data: components["schemas"]["SettingInForce"][]; }; }; };
        };
    };
    listStaff: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                q?: string;
                removed?: "true" | "false";
                csv?: "plain" | "br";
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            200: {
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
        parameters: { query?: never; path?: never; };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    role: "viewer" | "content" | "support" | "finance" | "admin";
                };
            };
        };
        responses: { 201: { content: { "application/json": components["schemas"]["NewStaffMember"]; }; }; };
    };
    getStaffMember: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["StaffMember"]; }; }; };
    };
    removeStaffMember: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: { 204: { content?: never; }; };
    };
    changeStaffMember: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    role?: "viewer" | "content" | "support" | "finance" | "admin";
                };
            };
        };
        responses: { 200: { content: { "application/json": components["schemas"]["StaffMember"]; }; }; };
    };
    inviteStaffMember: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: { 201: { content: { "application/json": components["schemas"]["StaffInvited"]; }; }; };
    };
    showToday: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["Today"]; }; }; };
    };
    listWebhooks: {
        parameters: {
            query?: {
                partner?: string;
                status?: "enabled" | "disabled";
                page?: number;
                limit?: number;
                after?: string;
                before?: string;
                sort?: "newest" | "oldest";
                csv?: "plain" | "br";
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            200: {
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
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": components["schemas"]["WebhookOrder"]; }; };
        responses: {
            201: { content: { "application/json": components["schemas"]["WebhookEndpointWithSecret"]; }; };
        };
    };
    getWebhook: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["WebhookEndpoint"]; }; }; };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                status?: "pending" | "delivered" | "failed";
                page?: number;
                limit?: number;
                after?: string;
                before?: string;
                sort?: "newest" | "oldest";
                csv?: "plain" | "br";
            };
            path: { id: string; };
        };
        requestBody?: never;
        responses: {
            200: {
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
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["WebhookEndpoint"]; }; }; };
    };
    enableWebhook: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["WebhookEndpoint"]; }; }; };
    };
    replayWebhook: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody: {
            content: {
                "application/json": {
                    event: string;
                } | { since: string; };
            };
        };
        responses: { 202: { content: { "application/json": { replayed: number; }; }; }; };
    };
    rotateWebhookSecret: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: { content: { "application/json": { overlap_hours?: number; }; }; };
        responses: {
            200: { content: { "application/json": components["schemas"]["WebhookEndpointWithSecret"]; }; };
        };
    };
    testWebhook: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["WebhookDelivery"]; }; }; };
    };
    acceptInvitation: {
        parameters: { query?: never; path?: never; };
        requestBody: {
            content: { "application/json": { token: string; email: string; password: string; }; };
        };
        responses: { 200: { content: { "application/json": components["schemas"]["StaffEntered"]; }; }; };
    };
    listFactors: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["StaffFactors"]; }; }; };
    };
    removeFactor: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: { 204: { content?: never; }; };
    };
    readInvitation: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": { token: string; }; }; };
        responses: { 200: { content: { "application/json": components["schemas"]["StaffInvitation"]; }; }; };
    };
    signInStaff: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": components["schemas"]["StaffLogin"]; }; };
        responses: { 200: { content: { "application/json": components["schemas"]["StaffEntered"]; }; }; };
    };
    signOutStaff: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: { 204: { content?: never; }; };
    };
    askForPasskey: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": { purpose: "sign_in" | "new"; }; }; };
        responses: { 200: { content: { "application/json": components["schemas"]["PasskeyOptions"]; }; }; };
    };
    addPasskey: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": { name: string; passkey: Record<string, never>; }; }; };
        responses: { 200: { content: { "application/json": components["schemas"]["FactorAdded"]; }; }; };
    };
    giveSecondFactor: {
        parameters: { query?: never; path?: never; };
        requestBody: {
            content: { "application/json": { code?: string; passkey?: Record<string, never>; }; };
        };
        responses: { 200: { content: { "application/json": components["schemas"]["StaffProven"]; }; }; };
    };
    listStaffSessions: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: {
            200: { content: { "application/json": { data: components["schemas"]["StaffSession"][]; }; }; };
        };
    };
    endStaffSession: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: { 204: { content?: never; }; };
    };
    endOtherStaffSessions: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: { 204: { content?: never; }; };
    };
    proposeTotp: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["NewTotp"]; }; }; };
    };
    confirmTotp: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": { code: string; }; }; };
        responses: { 200: { content: { "application/json": components["schemas"]["FactorAdded"]; }; }; };
    };
    authoriseAutopay: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["SandboxAutopay"]; }; }; };
    };
    cancelAutopay: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["SandboxAutopay"]; }; }; };
    };
    refuseAutopay: {
        parameters: { query?: never; path: { id: string; }; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["SandboxAutopay"]; }; }; };
    };
    askSandboxBureau: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": { cpf: string; }; }; };
        responses: { 200: { content: { "application/json": { score: unknown; cpf_status?: unknown; }; }; }; };
    };
    getClock: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["ClockReading"]; }; }; };
    };
    moveClock: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": components["schemas"]["ClockMove"]; }; };
        responses: { 200: { content: { "application/json": components["schemas"]["ClockReading"]; }; }; };
    };
    resetClock: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["ClockReading"]; }; }; };
    };
    listMessages: {
        parameters: {
            query?: {
                phone?: string;
                email?: string;
                page?: number;
                limit?: number;
                after?: string;
                before?: string;
                sort?: "newest" | "oldest";
                csv?: "plain" | "br";
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            200: {
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
        parameters: { query?: never; path: { txid: string; }; };
        requestBody?: {
            content: { "application/json": { value?: number; at?: string; force?: boolean; }; };
        };
        responses: { 201: { content: { "application/json": components["schemas"]["SandboxPayment"]; }; }; };
    };
    reversePayment: {
        parameters: { query?: never; path: { txid: string; }; };
        requestBody?: { content: { "application/json": { value?: number; }; }; };
        responses: { 201: { content: { "application/json": components["schemas"]["SandboxReversal"]; }; }; };
    };
    showPspPage: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: { 200: { content: { "text/html": string; }; }; };
    };
    listPspDeliveries: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: {
            200: { content: { "application/json": { data: components["schemas"]["PspDelivery"][]; }; }; };
        };
    };
    getPspFaults: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["PspFaults"]; }; }; };
    };
    setPspFaults: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": components["schemas"]["PspFaults"]; }; };
        responses: { 200: { content: { "application/json": components["schemas"]["PspFaults"]; }; }; };
    };
    scanBrCode: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": { br_code: string; }; }; };
        responses: { 200: { content: { "application/json": components["schemas"]["ScannedCharge"]; }; }; };
    };
    resetSandbox: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: { 200: { content: { "application/json": components["schemas"]["ResetDone"]; }; }; };
    };
    enterAsRole: {
        parameters: { query?: never; path?: never; };
        requestBody: {
            content: {
                "application/json": { role: "viewer" | "content" | "support" | "finance" | "admin"; };
            };
        };
        responses: { 201: { content: { "application/json": components["schemas"]["StaffEntered"]; }; }; };
    };
}
