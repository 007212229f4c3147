// How many decimals metrics, shares and chances have in the interface.

/** A figure as the interface has it, with three decimals at most. */
export const threeDecimals = (value: number): number => Math.round(value * 1000) / 1000;
