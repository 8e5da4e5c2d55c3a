;; Dot products of a query of 16-bit numbers with rows of 8-bit numbers, by WebAssembly's vectors.
;; `node scripts/build-kernel.mjs` makes kernel.wasm.ts of it.
(module
  (memory (export "memory") 1)
  (func (export "dots")
    (param $query i32) (param $rows i32) (param $count i32) (param $size i32) (param $products i32)
    (local $end i32) (local $at i32) (local $queryAt i32) (local $rowEnd i32) (local $lanes v128) (local $sums v128)
    (local.set $end (i32.add (local.get $rows) (i32.mul (local.get $count) (local.get $size))))
    (block $done
      (loop $row
        (br_if $done (i32.ge_u (local.get $rows) (local.get $end)))
        (local.set $sums (v128.const i32x4 0 0 0 0))
        (local.set $at (local.get $rows))
        (local.set $queryAt (local.get $query))
        (local.set $rowEnd (i32.add (local.get $rows) (local.get $size)))
        (loop $sixteen
          ;; What is read behind the row's end meets the zeros that the query is padded with.
          (local.set $lanes (v128.load align=1 (local.get $at)))
          (local.set $sums (i32x4.add (local.get $sums)
            (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $lanes)) (v128.load (local.get $queryAt)))))
          (local.set $sums (i32x4.add (local.get $sums)
            (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $lanes)) (v128.load offset=16 (local.get $queryAt)))))
          (local.set $queryAt (i32.add (local.get $queryAt) (i32.const 32)))
          (local.set $at (i32.add (local.get $at) (i32.const 16)))
          (br_if $sixteen (i32.lt_u (local.get $at) (local.get $rowEnd))))
        (i32.store (local.get $products)
          (i32.add
            (i32.add (i32x4.extract_lane 0 (local.get $sums)) (i32x4.extract_lane 1 (local.get $sums)))
            (i32.add (i32x4.extract_lane 2 (local.get $sums)) (i32x4.extract_lane 3 (local.get $sums)))))
        (local.set $products (i32.add (local.get $products) (i32.const 4)))
        (local.set $rows (local.get $rowEnd))
        (br $row)))))
