//! Programs in Java: bodies of static methods.

use super::Feature;

pub const FEATURES: &[Feature] = &[
    Feature {
        name: "arrays",
        declarations: "static class N { N next; int d; }
                       static int sum(int[] a) { int s = 0; for (int i = 0; i < a.length; i++) s += a[i]; return s; }",
        correct: &[
            "int[] a = new int[3]; assert a.length == 3;",
            "int[] a = new int[3]; a[1] = 5; assert a[1] == 5 && a[0] == 0;",
            "long[] a = new long[100]; for (int i = 0; i < a.length; i++) a[i] = i * 2; assert a[50] == 100;",
            "char[] a = new char[20]; a[3] = 'x'; assert a[3] == 'x' && a[4] == 0;",
            "int[] a = new int[20]; a[19] = 7; assert sum(a) == 7;",
            "byte[] a = new byte[30]; a[0] = (byte) 200; assert a[0] == -56;",
            "boolean[] a = new boolean[40]; N n = null; if (a[20]) n.d = 1;",
            "int[] a = new int[2]; int[] b = a; b[0] = 3; assert a[0] == 3;",
            "int[] a = new int[5]; int i = 0; a[i++] = 1; a[i++] = 2; assert i == 2 && a[0] + a[1] == 3;",
            "short[] a = new short[17]; a[16] += 3; a[16]++; assert a[16] == 4;",
        ],
        planted: &[
            "int[] a = new int[3]; assert a.length == 4;",
            "int[] a = new int[3]; a[1] = 5; assert a[1] == 6;",
            "long[] a = new long[100]; for (int i = 0; i < a.length; i++) a[i] = i * 2; assert a[50] == 99;",
            "char[] a = new char[20]; a[3] = 'x'; N n = null; if (a[3] == 'x') n.d = 1;",
            "int[] a = new int[20]; a[19] = 7; assert sum(a) == 8;",
            "byte[] a = new byte[30]; a[0] = (byte) 200; assert a[0] == 200;",
            "boolean[] a = new boolean[40]; N n = null; if (!a[20]) n.d = 1;",
            "int[] a = new int[2]; int[] b = a; b[0] = 3; assert a[0] == 0;",
            "int[] a = new int[5]; int i = 0; a[i++] = 1; a[i++] = 2; assert a[0] == 2;",
            "short[] a = new short[17]; a[16] += 3; a[16]++; assert a[16] == 3;",
        ],
    },
    Feature {
        name: "strings and boxes",
        declarations: "static class N { N next; int d; } static class B { Integer i; String s; }",
        correct: &[
            "String s = \"abc\"; assert s.length() == 3;",
            "String s = \"abc\"; assert s.equals(\"abc\") && !s.equals(\"abd\");",
            "String s = \"\"; assert s.isEmpty();",
            "Integer b = 7; assert b == 7;",
            "Integer b = 7, c = 7; assert b.equals(c) && b.intValue() == 7;",
            "Boolean t = true; assert t; N n = null; if (!t) n.d = 1;",
            "Long l = 5L; assert l + 1 == 6;",
            "Character c = 'x'; assert c == 'x';",
            "B b = new B(); b.i = -3; b.s = \"q\"; assert b.i < 0 && b.s.length() == 1;",
            "Integer i = Integer.valueOf(9); int k = i; assert k == 9;",
        ],
        planted: &[
            "String s = \"abc\"; assert s.length() == 4;",
            "String s = \"abc\"; assert s.equals(\"abd\");",
            "String s = \"\"; N n = null; if (s.isEmpty()) n.d = 1;",
            "Integer b = 7; assert b == 8;",
            "Integer b = 7, c = 8; assert b.equals(c);",
            "Boolean t = true; N n = null; if (t) n.d = 1;",
            "Long l = 5L; assert l + 1 == 5;",
            "Character c = 'x'; assert c == 'y';",
            "B b = new B(); b.i = -3; assert b.i > 0;",
            "Integer i = Integer.valueOf(9); int k = i; assert k == 10;",
        ],
    },
];
