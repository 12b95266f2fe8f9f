/* #if in a comment */
char *s = "\
#define in a string";
#pragma once
#include <stdio.h>
#define N 3
