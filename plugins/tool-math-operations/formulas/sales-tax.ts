import { amount, defineFormula, format, money, withDefault } from "./formula.ts";

/** tax = price × quantity × rate / 100, added on top. */
export const salesTax = defineFormula({
  name: "sales_tax",
  parameters: {
    price: amount,
    tax_rate: amount,
    quantity: withDefault(amount, 1),
  },
  required: ["price", "tax_rate"],
  run({ price, tax_rate, quantity }) {
    const subtotal = price * quantity;
    const tax = (subtotal * tax_rate) / 100;
    return {
      result: `tax ${money(tax)}, total ${money(subtotal + tax)}`,
      steps: [
        format`subtotal = ${price} × ${quantity} = ${money(subtotal)}`,
        format`tax = ${money(subtotal)} × ${tax_rate} / 100 = ${money(tax)}`,
        `total = ${money(subtotal)} + ${money(tax)} = ${money(subtotal + tax)}`,
      ],
    };
  },
});
